function MPITB_Clean()
    % MPITB_Clean  -  as MPI-TB had it: MPI is finalized if it is not yet. Nothing is cleared: there is no need.

    [~, started] = MPI_Initialized();
    [~, ended] = MPI_Finalized();
    if started && ~ended
        MPI_Finalize();
    end
end
