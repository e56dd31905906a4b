function [info, rvar] = MPI_Scan(svar, rvar, op, comm)
    % MPI_Scan  -  as MPI-TB had it: [info, rvar] = MPI_Scan(svar, rvar, op, comm).

    [info, rvar_] = mpitb_call('MPI_Scan', 1, svar, op, comm);
    if nargout < 2 && isvarname(inputname(2))
        assignin('caller', inputname(2), mpitb_write(rvar, rvar_));
    end
    rvar = mpitb_fit(rvar, rvar_);
end
