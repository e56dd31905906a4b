function comm = MatMPI_Save_messages(comm, flag)
    comm.save_message_flag = flag;
end
