function [info, stat, rbuf] = MPI_Sendrecv(sbuf, dest, stag, rbuf, src, rtag, comm)
    % MPI_Sendrecv  -  as MPI-TB had it: [info, stat, rbuf] = MPI_Sendrecv(sbuf, dest, stag, rbuf, src, rtag, comm).

    [info, rbuf_, stat] = mpitb_call('MPI_Sendrecv', 2, sbuf, dest, stag, src, rtag, comm);
    if nargout < 3 && isvarname(inputname(4))
        assignin('caller', inputname(4), mpitb_write(rbuf, rbuf_));
    end
    rbuf = mpitb_fit(rbuf, rbuf_);
end
