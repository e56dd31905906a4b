function [info, rvar] = MPI_Scatterv(svar, cnts, disps, rvar, root, comm)
    % MPI_Scatterv  -  as MPI-TB had it: [info, rvar] = MPI_Scatterv(svar, cnts, disps, rvar, root, comm).

    [info, rvar_] = mpitb_call('MPI_Scatterv', 1, svar, cnts, root, comm);
    name = mpitb_named(4, nargin, nargout < 2);
    if ~isempty(name)
        assignin('caller', name, mpitb_write(rvar, rvar_));
    end
    rvar = mpitb_fit(rvar, rvar_);
end
