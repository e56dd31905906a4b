function result = allreduce(value, operation)
    % mp.allreduce  -  Values combined on every rank.

    result = mp_transport().allreduce(0, value, operation);
end
