function case_bad_ranks_and_tags_are_refused(m)
    for dest = {-1, m.size, 0.5, 'a', [0 1], NaN}
        assert(refuses(@() m.send(dest{1}, 1, 1)));
    end
    for tag = {NaN, [1 2], Inf, {}, 2^60, -2^60 - 1024, '*', ['a'; 'b']}
        assert(refuses(@() m.send(0, tag{1}, 1)));
    end
end

function refused = refuses(call)
    refused = false;
    try
        call();
    catch problem
        refused = any(strcmp(problem.identifier, {'MPI:badRank', 'MPI:badTag'}));
    end
end
