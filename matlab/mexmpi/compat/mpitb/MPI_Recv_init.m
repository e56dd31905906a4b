function [info, req] = MPI_Recv_init(buf, src, tag, comm)
    % MPI_Recv_init  -  as MPI-TB had it: [info, req] = MPI_Recv_init(buf, src, tag, comm).

    [info, req] = mpitb_call('MPI_Recv_init', 1, buf, src, tag, comm);
end
