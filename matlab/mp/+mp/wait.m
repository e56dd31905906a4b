function varargout = wait(request)
    % mp.wait  -  Wait for what was begun; gives the values received.

    m = mp_transport();
    [varargout{1:max(nargout, 1)}] = m.wait(request);
end
