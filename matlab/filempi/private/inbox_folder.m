function place = inbox_folder(folder, rank)
    % Where the inbox of a rank lies: in folder, or (for '') in the folder that MPI_Run was given for its machine.

    global FILEMPI
    place = folder;
    if isempty(folder)
        place = FILEMPI.folders{rank + 1};
    end
end
