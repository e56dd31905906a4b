function MPITB_Clean()
    % MPITB_Clean  -  as MPI-TB had it: MPI is finalized if it is not yet. Nothing is cleared: there is no need.
    %
    % Slaves of Octave_Spawn's that wait for further commands of NumCmds_Send are let go before. LAM_Clean does the same.

    [~, started] = MPI_Initialized();
    [~, ended] = MPI_Finalized();
    if started && ~ended
        mpitb_dismiss();
        MPI_Finalize();
    end
end
