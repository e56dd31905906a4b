function result = MPI_Allreduce(tag, comm, value, operation)
    % MPI_Allreduce  -  Combine one array of each rank, element by element, on every rank; see MPI_Reduce.
    %
    %   result = MPI_Allreduce(tag, comm, value, operation)

    if nargin < 4
        operation = 'sum';
    end
    result = MPI_Reduce(0, tag, comm, value, operation);
    result = from_root(tag, comm, result);
end
