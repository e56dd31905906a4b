function mpitb_joined()
    % A process of Octave_Spawn's joins those that have started it: sets the global variables that MPI-TB's scripts set.

    global WORLD NEWORLD RANK HOSTNAME MPITB_PARENT_

    [~, started] = MPI_Initialized();
    if ~started
        MPI_Init();
    end
    WORLD = mexmpi_call('MPI_COMM_WORLD');
    [info, MPITB_PARENT_] = MPI_Comm_get_parent();
    if info ~= 0 || MPITB_PARENT_ == mexmpi_call('MPI_COMM_NULL')
        error('mpi:ERR_COMM', 'this process was started by no other one; slaves are started by Octave_Spawn');
    end
    [~, NEWORLD] = MPI_Intercomm_merge(MPITB_PARENT_, 1);
    [~, RANK] = MPI_Comm_rank(NEWORLD);
    HOSTNAME = gethostname();
end
