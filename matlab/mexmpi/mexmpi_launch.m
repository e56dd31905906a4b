function status = mexmpi_launch(script, ranks, name)
    % mexmpi_launch  -  Start a script on some ranks from a session, and show what it prints.
    %
    %   mexmpi_launch('script.m', 4)             with the first build
    %   mexmpi_launch('script.m', 4, 'mpich')    with the build of that name
    %   status = mexmpi_launch(...)              0 when all went well; without output an error otherwise
    %
    % The ranks are separate interpreters, started by the mpiexec of the build's MPI; this session is none of them.

    if nargin < 3
        name = '';
    end
    [build, launcher] = build_named(name);
    text = sprintf('addpath(''%s''); mexmpi_run(''%s'')', fileparts(mfilename('fullpath')), strrep(script, '''', ''''''));
    command = sprintf('"%s" %s -n %d octave-cli -qfW --no-gui --eval "%s"', launcher, more_options(launcher), ranks, ...
                      strrep(text, '"', '\"'));
    setenv('MEXMPI_USE', build);
    code = system(command);
    setenv('MEXMPI_USE', '');
    if nargout > 0
        status = code;
    elseif code ~= 0
        error('mpi:job', 'The job has ended with status %d.', code);
    end
end

function [build, launcher] = build_named(name)
    entries = dir(mexmpi_builds());
    for k = 1:numel(entries)
        notes = fullfile(mexmpi_builds(), entries(k).name, 'build.txt');
        if exist(notes, 'file') && strncmp(entries(k).name, name, numel(name))
            build = entries(k).name;
            launcher = regexp(fileread(notes), '(?<=\nlauncher )[^\n]*', 'match', 'once');
            return
        end
    end
    error('mpi:noBuild', 'There is no build of mexmpi that is named %s in %s. Call mexmpi_build first.', name, mexmpi_builds());
end

function options = more_options(launcher)
    [~, text] = system(sprintf('"%s" --version 2>&1', launcher));
    options = '';
    if ~isempty(regexp(text, 'Open MPI|OpenRTE|prte|PRRTE', 'once'))
        options = '--oversubscribe';
    end
end
