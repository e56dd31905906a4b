function name = mpi_operation(operation)
    % MPI's name of an operation that the kernels give by name or as a function of bits.

    name = operation;
    if ~ischar(operation)
        names = struct('bitand', 'band', 'bitor', 'bor', 'bitxor', 'bxor');
        name = names.(func2str(operation));
    end
end
