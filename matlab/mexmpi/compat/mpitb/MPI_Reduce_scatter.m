function [info, rvar] = MPI_Reduce_scatter(svar, rvar, cnts, op, comm)
    % MPI_Reduce_scatter  -  as MPI-TB had it: [info, rvar] = MPI_Reduce_scatter(svar, rvar, cnts, op, comm).

    [info, rvar_] = mpitb_call('MPI_Reduce_scatter', 1, svar, cnts, op, comm);
    name = mpitb_named(2, nargin, nargout < 2);
    if ~isempty(name)
        assignin('caller', name, mpitb_write(rvar, rvar_));
    end
    rvar = mpitb_fit(rvar, rvar_);
end
