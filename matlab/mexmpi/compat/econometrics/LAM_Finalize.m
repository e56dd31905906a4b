function LAM_Finalize()
    % LAM_Finalize  -  as the Econometrics programs for MPI-TB had it: lets the slaves of LAM_Init go.
    %
    % MPI itself stays up until the session's end, so that LAM_Init may be called again.
    %
    % Example: LAM_Init(2); NumCmds_Send({'cmd'}, {'disp(RANK)'}); LAM_Finalize;

    mpitb_dismiss();
end
