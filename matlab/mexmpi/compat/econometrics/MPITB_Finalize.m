function MPITB_Finalize()
    % MPITB_Finalize  -  as the Econometrics programs for MPI-TB had it: what MPITB_Clean does.
    %
    % Example: MPI_Init; MPI_Finalize; MPITB_Finalize;

    MPITB_Clean();
end
