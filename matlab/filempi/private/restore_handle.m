function filempi_handle = restore_handle(filempi_text, filempi_captured)
    % A function handle from its text, in a workspace that holds what it has captured and nothing else. Only the text of a
    % name or of an anonymous function is taken; Raises MPI:damaged.

    if isempty(regexp(filempi_text, '^(@\(|@?[A-Za-z_][A-Za-z0-9_.]*$)', 'once'))
        error('MPI:damaged', 'A message holds a function handle that is none.');
    end
    for filempi_name = reshape(fieldnames(filempi_captured), 1, [])
        eval([filempi_name{1}, ' = filempi_captured.(filempi_name{1});']);
    end
    if strncmp(filempi_text, '@(', 2)
        filempi_handle = eval([filempi_text, ';']);
    else
        filempi_handle = str2func(regexprep(filempi_text, '^@', ''));
    end
end
