function [info, rvar] = MPI_Reduce(svar, rvar, op, root, comm)
    % MPI_Reduce  -  as MPI-TB had it: [info, rvar] = MPI_Reduce(svar, rvar, op, root, comm).

    [info, rvar_] = mpitb_call('MPI_Reduce', 1, svar, op, root, comm);
    rvar = mpitb_fit(rvar, rvar_);
end
