function value = scatter(root, values)
    % mp.scatter  -  Each rank its element of a cell of rank root.

    value = mp_transport().scatter(root, 0, values);
end
