function case_what_cannot_be_carried_is_named(m)
    if m.rank == 0
        named = '';
        try
            m.send(1, 1, 5, struct('a', {{1, containers.Map()}}));
        catch problem
            named = problem.message;
        end
        assert(~isempty(strfind(named, 'value 2.a{2}')) && ~isempty(strfind(named, 'containers.Map'))); %#ok<STREMP>
        m.send(1, 1, 'after');
    elseif m.rank == 1
        assert(strcmp(m.recv(0, 1), 'after'));
    end
end
