function varargout = MPI_Sendrecv(dest, sendtag, source, recvtag, comm, varargin)
    % MPI_Sendrecv  -  Send values to one rank and receive a message of another; cannot deadlock.
    %
    %   [w1, w2, ...] = MPI_Sendrecv(dest, sendtag, source, recvtag, comm, v1, v2, ...)

    filempi_post(dest, sendtag, comm, 0, varargin);
    values = filempi_receive(source, recvtag, comm, 0, []);
    varargout = filempi_outputs(values, nargout);
end
