function [ranks, tags] = probe(source, tag)
    % mp.probe  -  Messages that wait to be received, as columns; does not wait.

    m = mp_transport();
    [ranks, tags] = m.probe(source, tag);
end
