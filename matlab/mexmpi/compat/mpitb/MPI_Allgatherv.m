function [info, rvar] = MPI_Allgatherv(svar, rvar, cnts, disps, comm)
    % MPI_Allgatherv  -  as MPI-TB had it: [info, rvar] = MPI_Allgatherv(svar, rvar, cnts, disps, comm).

    [info, rvar_] = mpitb_call('MPI_Allgatherv', 1, svar, cnts, comm);
    rvar = mpitb_fit(rvar, rvar_);
end
