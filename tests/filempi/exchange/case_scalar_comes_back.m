function case_scalar_comes_back(m)
    if m.rank == 0
        m.send(1, 5, pi);
        assert(m.recv(1, 6) == 2 * pi);
    elseif m.rank == 1
        m.send(0, 6, 2 * m.recv(0, 5));
    end
end
