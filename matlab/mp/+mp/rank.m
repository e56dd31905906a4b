function r = rank()
    % mp.rank  -  This rank's number, from 0.

    r = mp_transport().rank;
end
