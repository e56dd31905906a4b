function MPI_Barrier(comm)
    % MPI_Barrier  -  Wait until every rank has come here.

    check_arguments('*', '*', comm, true);
    if comm.rank == 0
        for rank = 1:comm.size - 1
            receive_message(rank, 0, comm, 2, []);
        end
        for rank = 1:comm.size - 1
            send_message(rank, 0, comm, 2, {0});
        end
    else
        send_message(0, 0, comm, 2, {0});
        receive_message(0, 0, comm, 2, []);
    end
end
