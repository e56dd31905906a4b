function MPI_Barrier(comm)
    % MPI_Barrier  -  Wait until every rank has come here.

    filempi_check('*', '*', comm, true);
    if comm.rank == 0
        for rank = 1:comm.size - 1
            filempi_receive(rank, 0, comm, 2, []);
        end
        for rank = 1:comm.size - 1
            filempi_post(rank, 0, comm, 2, {0});
        end
    else
        filempi_post(0, 0, comm, 2, {0});
        filempi_receive(0, 0, comm, 2, []);
    end
end
