function comm = MatMPI_Comm_dir(comm, folder)
    comm.folder = folder;
end
