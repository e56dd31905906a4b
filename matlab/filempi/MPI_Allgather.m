function all_values = MPI_Allgather(tag, comm, value)
    % MPI_Allgather  -  Collect one value of each rank on every rank.
    %
    %   all_values = MPI_Allgather(tag, comm, value)      a cell row by rank

    all_values = MPI_Gather(0, tag, comm, value);
    all_values = from_root(tag, comm, all_values);
end
