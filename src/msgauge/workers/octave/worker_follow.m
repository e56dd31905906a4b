function worker_follow(comm, kernel)
    % What every rank but 0 does for a cell: carry out orders until one counts nothing.

    order = MPI_Bcast(0, 9, comm);
    while order(1) > 0
        worker_run_order(comm, kernel, order);
        order = MPI_Bcast(0, 9, comm);
    end
end
