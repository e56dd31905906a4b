function value = from_root(tag, comm, value)
    % The last step of a collective: the value of rank 0 on every rank.

    if comm.rank == 0
        multicast(1:comm.size - 1, tag, comm, 7, {value});
    else
        got = receive_message(0, tag, comm, 7, []);
        value = got{1};
    end
end
