function comm = make_comm(base)
    % The value of a communicator: what programs may read (comm_fields) and what we need. base: the number before its first
    % link; job: the job's name. key: a number that no other channel of this session has, for the hot paths; 0 when they do
    % not apply.

    global FILEMPI
    comm = FILEMPI.comm;
    comm.base = base;
    comm.job = FILEMPI.id;
    comm.key = (FILEMPI.key + base) * ~FILEMPI.classic;
end
