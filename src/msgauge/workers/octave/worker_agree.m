function agreed = worker_agree(comm, right)
    % Whether every rank says that it is right.

    rights = MPI_Allgather(4, comm, right);
    agreed = all([rights{:}]);
end
