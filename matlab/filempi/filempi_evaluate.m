function filempi_evaluate(program, where)
    % Run a program: a name on the path, or a script by its absolute path.

    if isvarname(program)
        evalin(where, program);
    else
        evalin(where, ['run(''', strrep(program, '''', ''''''), ''')']);
    end
end
