function [info, rvar] = MPI_Allgatherv(svar, rvar, cnts, disps, comm)
    % MPI_Allgatherv  -  as MPI-TB had it: [info, rvar] = MPI_Allgatherv(svar, rvar, cnts, disps, comm).

    [info, rvar_] = mpitb_call('MPI_Allgatherv', 1, svar, cnts, comm);
    if nargout < 2 && isvarname(inputname(2))
        assignin('caller', inputname(2), mpitb_write(rvar, rvar_));
    end
    rvar = mpitb_fit(rvar, rvar_);
end
