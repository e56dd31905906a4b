function [file, back] = prepare_program(program)
    % How a program is run: the path of a script, which the caller sources in the program's workspace, so that no name is
    % called there and no variable of the program can stand in its way; or '' for a function, which has then been called.
    % A script named by its path runs in its own folder, as run has it; back: an object whose end brings the folder back.

    back = [];
    name = program;
    file = program;
    if isvarname(program)
        file = file_on_path(program);
    else
        previous = pwd();
        [folder, name] = fileparts(program);
        cd(folder);
        folder = pwd();
        back = onCleanup(@() come_back(folder, previous));
    end
    if is_function(name)
        feval(name);
        file = '';
    end
end

function found_file = file_on_path(found_name)
    if exist('OCTAVE_VERSION', 'builtin') ~= 0
        found_file = canonicalize_file_name(file_in_loadpath([found_name, '.m'])); % which would look at variables first
    else
        found_file = which(found_name);
    end
end

function answer = is_function(name)
    answer = isvarname(name);
    if answer
        try
            nargin(name);
        catch
            answer = false; % the error for a script
        end
    end
end

function come_back(folder, previous)
    if strcmp(pwd(), folder)
        cd(previous);
    end
end
