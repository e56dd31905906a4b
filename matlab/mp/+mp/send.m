function send(dest, tag, varargin)
    % mp.send  -  Send values to rank dest; returns at once, with copies of them.

    mp_transport().send(dest, tag, varargin{:});
end
