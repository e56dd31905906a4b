function [info, rvar] = MPI_Alltoallv(svar, scnts, sdisps, rvar, rcnts, rdisps, comm)
    % MPI_Alltoallv  -  as MPI-TB had it: [info, rvar] = MPI_Alltoallv(svar, scnts, sdisps, rvar, rcnts, rdisps, comm).

    [info, rvar_] = mpitb_call('MPI_Alltoallv', 1, svar, scnts, rcnts, comm);
    name = mpitb_named(4, nargin, nargout < 2);
    if ~isempty(name)
        assignin('caller', name, mpitb_write(rvar, rvar_));
    end
    rvar = mpitb_fit(rvar, rvar_);
end
