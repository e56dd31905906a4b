function values = allgather(value)
    % mp.allgather  -  A cell of the values of all ranks on every rank.

    values = mp_transport().allgather(0, value);
end
