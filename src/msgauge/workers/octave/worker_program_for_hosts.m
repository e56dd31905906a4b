function name = worker_program_for_hosts(variables, program)
    % Write a script in the present folder that sets these environment variables as they are here, then runs a program: ranks
    % on other hosts do not have the environment of this one. The name of its file.

    name = fullfile(pwd(), [program, '_on_hosts.m']);
    file = fopen(name, 'w');
    if file < 0
        error('msgauge:program', 'The file %s cannot be written.', name);
    end
    for k = 1:numel(variables)
        fprintf(file, 'setenv(''%s'', ''%s'');\n', variables{k}, strrep(getenv(variables{k}), '''', ''''''));
    end
    fprintf(file, '%s\n', program);
    fclose(file);
end
