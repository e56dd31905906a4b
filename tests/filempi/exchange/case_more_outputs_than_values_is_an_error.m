function case_more_outputs_than_values_is_an_error(m)
    if m.rank == 0
        m.send(1, 1, 11);
    elseif m.rank == 1
        refused = false;
        try
            [a, b] = m.recv(0, 1); %#ok<ASGLU>
        catch problem
            refused = strcmp(problem.identifier, 'MPI:fewerValues');
        end
        assert(refused);
    end
end
