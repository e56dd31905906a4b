function [info, rvar] = MPI_Gather(svar, rvar, root, comm)
    % MPI_Gather  -  as MPI-TB had it: [info, rvar] = MPI_Gather(svar, rvar, root, comm).

    [info, rvar_] = mpitb_call('MPI_Gather', 1, svar, root, comm);
    name = mpitb_named(2, nargin, nargout < 2);
    if ~isempty(name)
        assignin('caller', name, mpitb_write(rvar, rvar_));
    end
    rvar = mpitb_fit(rvar, rvar_);
end
