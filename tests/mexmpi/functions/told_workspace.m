function told = told_workspace()
    % Of each variable of the caller its name and what it is, but for global ones, which an error handler may write.

    names = evalin('caller', 'who');
    told = cell(2, 0);
    for k = 1:numel(names)
        if ~evalin('caller', ['isglobal(''', names{k}, ''')'])
            told(:, end + 1) = {names{k}; told_value(evalin('caller', names{k}))};
        end
    end
end
