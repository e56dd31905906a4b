function name = transport()
    % mp.transport  -  'filempi', 'mexmpi' or 'serial': how this program was started.

    name = mp_transport().name;
end
