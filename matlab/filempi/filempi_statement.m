function [statement, back] = filempi_statement(program)
    % What to evaluate in order to run a program: its name where it is on the path; for a script by its absolute path a
    % statement that holds no part of the path, which may be of any characters. The script runs in its own folder, as
    % run has it; back: an object whose end brings the working folder back.

    back = [];
    statement = program;
    if isvarname(program)
        return
    end
    filempi_script(program);
    if exist('OCTAVE_VERSION', 'builtin') ~= 0
        previous = pwd();
        cd(fileparts(program));
        folder = pwd();
        back = onCleanup(@() come_back(folder, previous));
        statement = 'source(filempi_script());'; % its run would put the name between quotes
    else
        statement = 'run(filempi_script());';
    end
end

function come_back(folder, previous)
    if strcmp(pwd(), folder)
        cd(previous);
    end
end
