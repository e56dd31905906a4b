function values = alltoall(values)
    % mp.alltoall  -  Element k of the cell goes to rank k - 1; gives what came from each.

    values = mp_transport().alltoall(0, values);
end
