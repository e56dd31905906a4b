function text = error_report(problem, rank)
    % An error as text: message, then where in the program it was raised.

    text = sprintf('error in rank %d: %s', rank, problem.message);
    toolbox = fileparts(fileparts(mfilename('fullpath')));
    for k = 1:min(numel(problem.stack), 8)
        if ~any(strcmp(fileparts(problem.stack(k).file), {toolbox, [toolbox, '/private']}))
            text = sprintf('%s\n  in %s, line %d', text, problem.stack(k).name, problem.stack(k).line);
        end
    end
end
