function request = isend(dest, tag, varargin)
    % mp.isend  -  Begin to send.

    request = mp_transport().isend(dest, tag, varargin{:});
end
