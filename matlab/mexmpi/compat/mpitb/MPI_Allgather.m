function [info, rvar] = MPI_Allgather(svar, rvar, comm)
    % MPI_Allgather  -  as MPI-TB had it: [info, rvar] = MPI_Allgather(svar, rvar, comm).

    [info, rvar_] = mpitb_call('MPI_Allgather', 1, svar, comm);
    if nargout < 2 && isvarname(inputname(2))
        assignin('caller', inputname(2), mpitb_write(rvar, rvar_));
    end
    rvar = mpitb_fit(rvar, rvar_);
end
