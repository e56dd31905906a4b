function rank = OctMPI_Host_rank(comm)
    % OctMPI_Host_rank  -  As MatMPI_Host_rank: the name that OctaveMPI gave it.

    rank = MatMPI_Host_rank(comm);
end
