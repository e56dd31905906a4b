function comm = OctMPI_Comm_dir(comm, dir)
    % OctMPI_Comm_dir  -  As MatMPI_Comm_dir: the name that OctaveMPI gave it.

    comm = MatMPI_Comm_dir(comm, dir);
end
