function varargout = sendrecv(dest, sendtag, source, recvtag, varargin)
    % mp.sendrecv  -  Send values and receive others; cannot deadlock.

    m = mp_transport();
    [varargout{1:max(nargout, 1)}] = m.sendrecv(dest, sendtag, source, recvtag, varargin{:});
end
