function startup_bcastSlv()
    % startup_bcastSlv  -  as MPI-TB had it: a slave joins its parent, runs one command that it broadcasts, and ends.
    %
    % Example: Octave_Spawn(1, {'--eval', 'startup_bcastSlv'}); global NEWORLD; MPI_Bcast('disp(RANK)', 0, NEWORLD);

    global WORLD NEWORLD RANK HOSTNAME

    mpitb_joined();
    cmd = '';
    MPI_Bcast(cmd, 0, NEWORLD);
    eval(cmd);
    MPI_Finalize();
end
