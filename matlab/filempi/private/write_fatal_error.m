function write_fatal_error(name, text)
    % Write an error into a file whose space was taken when the job began, so that a full disk cannot silence it.

    fid = fopen(name, 'r+');
    if fid > 0
        fwrite(fid, text(1:min(end, 1000)), 'uint8');
        fclose(fid);
    end
end
