function comm = MatMPI_Comm_dir(comm, dir)
    % MatMPI_Comm_dir  -  A communicator whose messages travel through another folder, e.g. a faster local disk.
    %
    % To be called by all ranks with the same folder. A private folder is made in it, and removed when the job ends.

    global FILEMPI
    filempi_check('*', '*', comm, true);
    if exist(dir, 'dir') ~= 7
        error('MPI:badSetting', 'There is no folder %s.', dir);
    end
    folder = [dir, '/', FILEMPI.id];
    flag = comm.save_message_flag;
    if ~strcmp(FILEMPI.folder, folder) && comm.size > 1
        filempi_share_folder(folder);
        comm = filempi_comm(filempi_open_channel(folder));
    end
    comm = MatMPI_Save_messages(comm, flag);
end
