function results = map(task, inputs)
    % mp.map  -  Apply a function to each element of a cell, dealt out among the ranks; rank 0 gets the cell of results.

    results = mp_transport().map(task, inputs);
end
