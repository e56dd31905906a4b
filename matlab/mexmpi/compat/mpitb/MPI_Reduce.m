function [info, rvar] = MPI_Reduce(svar, rvar, op, root, comm)
    % MPI_Reduce  -  as MPI-TB had it: [info, rvar] = MPI_Reduce(svar, rvar, op, root, comm).

    [info, rvar_] = mpitb_call('MPI_Reduce', 1, svar, op, root, comm);
    name = mpitb_named(2, nargin, nargout < 2);
    if ~isempty(name)
        assignin('caller', name, mpitb_write(rvar, rvar_));
    end
    rvar = mpitb_fit(rvar, rvar_);
end
