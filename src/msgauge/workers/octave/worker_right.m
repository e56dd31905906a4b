function right = worker_right(comm, item, payload)
    % An untimed pass: does every rank get what was sent, in content and class?

    right = true;
    if strcmp(item.kernel, 'bcast')
        got = payload;
        if comm.rank ~= 0
            got = [];
        end
        right = isequal(MPI_Bcast(0, 5, comm, got), payload);
    elseif comm.rank == 0
        MPI_Send(1, 5, comm, payload);
        right = isequal(MPI_Recv(1, 6, comm), payload);
    else
        got = MPI_Recv(0, 5, comm);
        MPI_Send(0, 6, comm, got);
        right = isequal(got, payload) && strcmp(class(got), class(payload));
    end
end
