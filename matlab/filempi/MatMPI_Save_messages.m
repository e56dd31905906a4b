function comm = MatMPI_Save_messages(comm, flag)
    % MatMPI_Save_messages  -  Keep (flag 1) the files of messages sent by the communicator that is returned.
    %
    % When they are received they are moved to MatMPI/ in the working folder instead of being removed.

    check_arguments('*', '*', comm, true);
    comm = make_comm(comm.base);
    comm.save_message_flag = double(flag ~= 0);
    comm.key = comm.key * (flag == 0);
end
