function settings = OctMPI_Comm_settings()
    % OctMPI_Comm_settings  -  As MatMPI_Comm_settings: the name that OctaveMPI gave it.

    settings = MatMPI_Comm_settings();
end
