function m = exchange_mexmpi()
    % The operations that the exchange cases use, on MPI by way of mp. A broadcast is a message of its source here, as the
    % cases want it; exchange_mp takes MPI's.

    m = mp_transport();
    m.bcast = @(root, tag, varargin) broadcast(m, root, tag, varargin);
end

function varargout = broadcast(m, root, tag, values)
    if m.rank ~= root
        [varargout{1:max(1, nargout)}] = m.recv(root, tag);
        return
    end
    for dest = [0:double(root) - 1, double(root) + 1:m.size - 1]
        m.send(dest, tag, values{:});
    end
    varargout = values(1:max(1, nargout));
end
