function LAM_Clean()
    % LAM_Clean  -  as MPI-TB had it: what MPITB_Clean does.
    %
    % Example: LAM_Init(1); Octave_Spawn; NumCmds_Init; NumCmds_Send({'cmd'}, {'disp(RANK)'}); LAM_Clean;

    MPITB_Clean();
end
