function [info, rvar] = MPI_Gatherv(svar, rvar, cnts, disps, root, comm)
    % MPI_Gatherv  -  as MPI-TB had it: [info, rvar] = MPI_Gatherv(svar, rvar, cnts, disps, root, comm).

    [info, rvar_] = mpitb_call('MPI_Gatherv', 1, svar, cnts, root, comm);
    name = mpitb_named(2, nargin, nargout < 2);
    if ~isempty(name)
        assignin('caller', name, mpitb_write(rvar, rvar_));
    end
    rvar = mpitb_fit(rvar, rvar_);
end
