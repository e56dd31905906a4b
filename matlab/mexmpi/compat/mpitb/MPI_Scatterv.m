function [info, rvar] = MPI_Scatterv(svar, cnts, disps, rvar, root, comm)
    % MPI_Scatterv  -  as MPI-TB had it: [info, rvar] = MPI_Scatterv(svar, cnts, disps, rvar, root, comm).

    [info, rvar_] = mpitb_call('MPI_Scatterv', 1, svar, cnts, root, comm);
    if nargout < 2 && isvarname(inputname(4))
        assignin('caller', inputname(4), mpitb_write(rvar, rvar_));
    end
    rvar = mpitb_fit(rvar, rvar_);
end
