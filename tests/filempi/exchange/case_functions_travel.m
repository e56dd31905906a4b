function case_functions_travel(m)
    shift = 3;
    twice = @(x) 2 * x;
    if m.rank == 0
        m.send(1, 1, {@(x) twice(x) + shift, @cos, struct('f', twice)});
    elseif m.rank == 1
        got = m.recv(0, 1);
        assert(got{1}(5) == 13);
        assert(got{2}(0) == 1);
        assert(got{3}.f(4) == 8);
    end
end
