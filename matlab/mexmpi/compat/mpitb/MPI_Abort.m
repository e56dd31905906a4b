function info = MPI_Abort(comm, errcode)
    % MPI_Abort  -  as MPI-TB had it: info = MPI_Abort(comm, errcode).

    info = mpitb_call('MPI_Abort', 0, errcode, comm);
end
