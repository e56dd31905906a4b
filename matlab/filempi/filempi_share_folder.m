function filempi_share_folder(folder)
    % Make a job's folder in another place, whichever rank comes first, and note it for the keeper to remove.

    global FILEMPI
    note = sprintf('%s/extra.%d.%d', FILEMPI.folder, FILEMPI.rank, numel(FILEMPI.sent));
    filempi_write_text(note, folder);
    folders = {folder};
    for rank = 0:FILEMPI.size - 1
        folders{end + 1} = sprintf('%s/in.%d', folder, rank); %#ok<AGROW>
    end
    for k = 1:numel(folders)
        if exist(folders{k}, 'dir') ~= 7
            try
                filempi_make_folder(folders{k});
            catch problem
                if exist(folders{k}, 'dir') ~= 7
                    rethrow(problem);
                end
            end
        end
        filempi_secure(folders{k});
    end
end
