function request = irecv(source, tag)
    % mp.irecv  -  Begin to receive.

    request = mp_transport().irecv(source, tag);
end
