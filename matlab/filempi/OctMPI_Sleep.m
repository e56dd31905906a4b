function OctMPI_Sleep()
    % OctMPI_Sleep  -  As MatMPI_Sleep: the name that OctaveMPI gave it.

    MatMPI_Sleep();
end
