function varargout = test(request)
    % mp.test  -  [flag, values...]: is it complete?

    m = mp_transport();
    [varargout{1:max(nargout, 1)}] = m.test(request);
end
