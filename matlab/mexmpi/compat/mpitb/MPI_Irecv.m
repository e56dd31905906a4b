function [info, req] = MPI_Irecv(buf, src, tag, comm)
    % MPI_Irecv  -  as MPI-TB had it: [info, req] = MPI_Irecv(buf, src, tag, comm).

    [info, req] = mpitb_call('MPI_Irecv', 1, src, tag, comm);
    mpitb_landing(req, inputname(1));
end
