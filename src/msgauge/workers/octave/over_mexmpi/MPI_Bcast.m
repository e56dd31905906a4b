function value = MPI_Bcast(root, tag, comm, value) %#ok<INUSL>
    % As of filempi, over MPI.

    if nargin < 4
        value = [];
    end
    value = mexmpi_call('MPI_Bcast', value, root, comm.handle);
end
