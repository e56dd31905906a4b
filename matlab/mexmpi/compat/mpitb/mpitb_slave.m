function mpitb_slave(what)
    % What a process of Octave_Spawn's does from its start to its end; an error in it ends the job.

    setenv('OMPI_MCA_universe', 'mexmpi');  % by which startups of MPI-TB's own know that they are slaves
    try
        evalin('base', what);
        [~, started] = MPI_Initialized();
        [~, ended] = MPI_Finalized();
        if started && ~ended
            MPI_Finalize();
        end
    catch problem
        mexmpi_report(problem);
        mexmpi_call('MPI_Abort', 1);
    end
    exit(0);
end
