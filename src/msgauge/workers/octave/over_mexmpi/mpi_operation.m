function name = mpi_operation(operation)
    % MPI's name of an operation that the kernels give by name or as a function of bits.

    name = operation;
    if ~ischar(operation)
        name = func2str(operation);
    end
end
