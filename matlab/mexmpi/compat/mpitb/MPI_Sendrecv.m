function [info, stat, rbuf] = MPI_Sendrecv(sbuf, dest, stag, rbuf, src, rtag, comm)
    % MPI_Sendrecv  -  as MPI-TB had it: [info, stat, rbuf] = MPI_Sendrecv(sbuf, dest, stag, rbuf, src, rtag, comm).

    [info, rbuf_, stat] = mpitb_call('MPI_Sendrecv', 2, sbuf, dest, stag, src, rtag, comm);
    name = mpitb_named(4, nargin, nargout < 3);
    if ~isempty(name)
        assignin('caller', name, mpitb_write(rbuf, rbuf_));
    end
    rbuf = mpitb_fit(rbuf, rbuf_);
end
