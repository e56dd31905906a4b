function [info, rvar] = MPI_Alltoallv(svar, scnts, sdisps, rvar, rcnts, rdisps, comm)
    % MPI_Alltoallv  -  as MPI-TB had it: [info, rvar] = MPI_Alltoallv(svar, scnts, sdisps, rvar, rcnts, rdisps, comm).

    [info, rvar_] = mpitb_call('MPI_Alltoallv', 1, svar, scnts, rcnts, comm);
    if nargout < 2 && isvarname(inputname(4))
        assignin('caller', inputname(4), mpitb_write(rvar, rvar_));
    end
    rvar = mpitb_fit(rvar, rvar_);
end
