function [info, rvar] = MPI_Scan(svar, rvar, op, comm)
    % MPI_Scan  -  as MPI-TB had it: [info, rvar] = MPI_Scan(svar, rvar, op, comm).

    [info, rvar_] = mpitb_call('MPI_Scan', 1, svar, op, comm);
    rvar = mpitb_fit(rvar, rvar_);
end
