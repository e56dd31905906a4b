function comm = MatMPI_Comm_dir(comm, dir)
    % MatMPI_Comm_dir  -  A communicator whose messages travel through another folder, e.g. a faster local disk.
    %
    % To be called by all ranks with the same folder, as often as they like: it is the same communicator each time. A
    % private folder is made in it, and removed when the job ends.

    global FILEMPI
    check_arguments('*', '*', comm, true);
    if exist(dir, 'dir') ~= 7
        error('MPI:badSetting', 'There is no folder %s.', dir);
    end
    folder = [absolute_path(dir), '/', FILEMPI.id];
    flag = comm.save_message_flag;
    if ~strcmp(FILEMPI.folder, folder) && comm.size > 1
        place = find(strcmp(FILEMPI.channels, folder), 1);
        if isempty(place)
            base = open_channel(make_shared_folder(folder));
            FILEMPI.channels{base / FILEMPI.size} = folder;
        else
            base = place * FILEMPI.size;
        end
        comm = make_comm(base);
    end
    comm = MatMPI_Save_messages(comm, flag);
end
