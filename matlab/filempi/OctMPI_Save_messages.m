function comm = OctMPI_Save_messages(comm, flag)
    % OctMPI_Save_messages  -  As MatMPI_Save_messages: the name that OctaveMPI gave it.

    comm = MatMPI_Save_messages(comm, flag);
end
