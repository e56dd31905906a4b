function varargout = MPI_Sendrecv(dest, sendtag, source, recvtag, comm, varargin)
    % MPI_Sendrecv  -  Send values to one rank and receive a message of another; cannot deadlock.
    %
    %   [w1, w2, ...] = MPI_Sendrecv(dest, sendtag, source, recvtag, comm, v1, v2, ...)

    send_message(dest, sendtag, comm, 0, varargin);
    values = receive_message(source, recvtag, comm, 0, []);
    varargout = check_outputs(values, nargout);
end
