function folder = make_shared_folder(folder)
    % Make a job's folder in another place, whichever rank comes first, and note it for the keeper to remove. Gives back
    % the folder for the inboxes in it: one of their own, because machines may have theirs in the same place.

    global FILEMPI
    note = sprintf('%s/extra.%d.%d', FILEMPI.folder, FILEMPI.rank, numel(FILEMPI.sent));
    write_text(note, folder);
    first_of_all(@() make_side_folder(folder, FILEMPI.folder, FILEMPI.host), folder);
    folder = [folder, '/channel'];
    first_of_all(@() make_private_folder(folder), folder);
    for rank = 0:FILEMPI.size - 1
        inbox = sprintf('%s/in.%d', folder, rank);
        first_of_all(@() make_private_folder(inbox), inbox);
    end
end

function first_of_all(make, name)
    if exist(name, 'dir') ~= 7
        try
            make();
        catch problem
            if exist(name, 'dir') ~= 7
                rethrow(problem);
            end
        end
    end
    check_private_folder(name);
end
