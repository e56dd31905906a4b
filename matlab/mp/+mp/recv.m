function varargout = recv(source, tag)
    % mp.recv  -  Receive the values of one message; '*': any source, any tag.

    m = mp_transport();
    [varargout{1:max(nargout, 1)}] = m.recv(source, tag);
end
