function varargout = bcast(root, varargin)
    % mp.bcast  -  Values of rank root on every rank.

    m = mp_transport();
    [varargout{1:max(nargout, 1)}] = m.bcast(root, 0, varargin{:});
end
