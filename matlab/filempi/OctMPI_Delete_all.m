function OctMPI_Delete_all()
    % OctMPI_Delete_all  -  As MatMPI_Delete_all: the name that OctaveMPI gave it.

    MatMPI_Delete_all();
end
