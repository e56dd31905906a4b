function values = gather(root, value)
    % mp.gather  -  A cell of the values of all ranks on rank root, elsewhere {}.

    values = mp_transport().gather(root, 0, value);
end
