function [info, rvar] = MPI_Allgather(svar, rvar, comm)
    % MPI_Allgather  -  as MPI-TB had it: [info, rvar] = MPI_Allgather(svar, rvar, comm).

    [info, rvar_] = mpitb_call('MPI_Allgather', 1, svar, comm);
    rvar = mpitb_fit(rvar, rvar_);
end
