function comm = filempi_comm(base)
    % The value of a communicator: what programs may read (rank, size, host_rank, save_message_flag) and what we need.

    global FILEMPI
    comm = struct('rank', FILEMPI.rank, 'size', FILEMPI.size, 'host_rank', 0, 'save_message_flag', 0, ...
                  'base', base, 'job', FILEMPI.id, 'fast', FILEMPI.streams && ~FILEMPI.classic);
end
