function name = host_name()
    % This machine's name.

    if exist('OCTAVE_VERSION', 'builtin') ~= 0
        name = gethostname();
    else
        [~, name] = system('hostname');
        name = strtrim(name);
    end
end
