function [info, rvar] = MPI_Allgatherv(svar, rvar, cnts, disps, comm)
    % MPI_Allgatherv  -  as MPI-TB had it: [info, rvar] = MPI_Allgatherv(svar, rvar, cnts, disps, comm).

    [info, rvar_] = mpitb_call('MPI_Allgatherv', 1, svar, cnts, comm);
    name = mpitb_named(2, nargin, nargout < 2);
    if ~isempty(name)
        assignin('caller', name, mpitb_write(rvar, rvar_));
    end
    rvar = mpitb_fit(rvar, rvar_);
end
