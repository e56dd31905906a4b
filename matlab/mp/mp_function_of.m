function mp_handle = mp_function_of(mp_text, mp_captured)
    % A function handle from its text, in a workspace that holds what it has captured and nothing else.

    if isempty(regexp(mp_text, '^(@\(|@?[A-Za-z_][A-Za-z0-9_.]*$)', 'once'))
        error('MPI:damaged', 'A message holds a function handle that is none.');
    end
    for mp_name = reshape(fieldnames(mp_captured), 1, [])
        eval([mp_name{1}, ' = mp_captured.(mp_name{1});']);
    end
    if strncmp(mp_text, '@(', 2)
        mp_handle = eval([mp_text, ';']);
    else
        mp_handle = str2func(regexprep(mp_text, '^@', ''));
    end
end
