function agreed = worker_all_agree(comm, verified)
    % Whether every rank found the bytes that were sent.

    rights = MPI_Allgather(4, comm, verified);
    agreed = all([rights{:}]);
end
