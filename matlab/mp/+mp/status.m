function [source, tag] = status()
    % mp.status  -  Sender and tag of the message that was received last.

    m = mp_transport();
    [source, tag] = m.status();
end
