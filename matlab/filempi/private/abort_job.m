function abort_job(folder, rank, text)
    % Have a job end: leave its file abort with the reason. The first reason stays, and whoever sees the file sees all of it;
    % on a full disk the file is left empty, because the job must end nevertheless.

    name = [folder, '/abort'];
    if file_size(name) >= 0
        return
    end
    whole = sprintf('%s.%d', name, rank);
    try
        write_text(whole, text);
        rename_file(whole, name);
    catch
        fid = fopen(name, 'a');
        if fid > 0
            fclose(fid);
        end
    end
end
