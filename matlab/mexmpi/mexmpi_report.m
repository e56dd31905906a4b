function mexmpi_report(problem)
    % Tell an error with the rank, the message and the stack, in one write, so that the ranks' texts do not mix.

    state = mexmpi_state();
    lines = {sprintf('mexmpi: rank %d of %d: error: %s', state.rank, state.size, problem.message)};
    for k = 1:numel(problem.stack)
        place = problem.stack(k);
        lines{end + 1} = sprintf('mexmpi: rank %d:   in %s at line %d', state.rank, place.name, place.line);
    end
    fprintf(2, '%s\n', strjoin(lines, char(10)));
end
