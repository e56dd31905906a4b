function [info, rvar] = MPI_Allreduce(svar, rvar, op, comm)
    % MPI_Allreduce  -  as MPI-TB had it: [info, rvar] = MPI_Allreduce(svar, rvar, op, comm).

    [info, rvar_] = mpitb_call('MPI_Allreduce', 1, svar, op, comm);
    name = mpitb_named(2, nargin, nargout < 2);
    if ~isempty(name)
        assignin('caller', name, mpitb_write(rvar, rvar_));
    end
    rvar = mpitb_fit(rvar, rvar_);
end
