function comm = MPI_COMM_WORLD()
    % All ranks: rank and size as in filempi's communicator, and MPI's own handle.

    comm = struct('rank', mexmpi_call('MPI_Comm_rank'), 'size', mexmpi_call('MPI_Comm_size'), ...
                  'handle', mexmpi_call('MPI_COMM_WORLD'));
end
