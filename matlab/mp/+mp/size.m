function n = size()
    % mp.size  -  Number of ranks.

    n = mp_transport().size;
end
