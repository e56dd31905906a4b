function text = filempi_report(problem, rank)
    % An error as text: message, then where it was raised.

    text = sprintf('error in rank %d: %s', rank, problem.message);
    for k = 1:min(numel(problem.stack), 8)
        if isempty(strfind(problem.stack(k).name, 'filempi_')) %#ok<STREMP>
            text = sprintf('%s\n  in %s, line %d', text, problem.stack(k).name, problem.stack(k).line);
        end
    end
end
