function init()
    % mp.init  -  Begin; called by the first other function, if the program does not.

    mp_transport();
end
