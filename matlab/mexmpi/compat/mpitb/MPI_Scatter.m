function [info, rvar] = MPI_Scatter(svar, rvar, root, comm)
    % MPI_Scatter  -  as MPI-TB had it: [info, rvar] = MPI_Scatter(svar, rvar, root, comm).

    [info, rvar_] = mpitb_call('MPI_Scatter', 1, svar, root, comm);
    name = mpitb_named(2, nargin, nargout < 2);
    if ~isempty(name)
        assignin('caller', name, mpitb_write(rvar, rvar_));
    end
    rvar = mpitb_fit(rvar, rvar_);
end
