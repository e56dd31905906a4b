function comm = filempi_comm(base)
    % The value of a communicator: what programs may read (rank, size, host_rank, save_message_flag) and what we need.
    % key: a number that no other channel of this session has, for the hot paths; 0 when they do not apply.

    global FILEMPI
    comm = struct('rank', FILEMPI.rank, 'size', FILEMPI.size, 'host_rank', 0, 'save_message_flag', 0, ...
                  'base', base, 'job', FILEMPI.id, 'key', (FILEMPI.key + base) * ~FILEMPI.classic);
end
