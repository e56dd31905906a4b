function [info, rvar] = MPI_Alltoall(svar, rvar, srcnt, comm)
    % MPI_Alltoall  -  as MPI-TB had it: [info, rvar] = MPI_Alltoall(svar, rvar, srcnt, comm).

    [info, rvar_] = mpitb_call('MPI_Alltoall', 1, svar, comm);
    name = mpitb_named(2, nargin, nargout < 2);
    if ~isempty(name)
        assignin('caller', name, mpitb_write(rvar, rvar_));
    end
    rvar = mpitb_fit(rvar, rvar_);
end
