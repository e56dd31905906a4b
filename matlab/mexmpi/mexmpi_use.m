function chosen = mexmpi_use(name)
    % mexmpi_use  -  Choose the build of mexmpi for this session; call it before MPI_Init.
    %
    %   mexmpi_use()            the build for the launcher that has started this process; if none has, the first one
    %   mexmpi_use('mpich')     the build whose name begins so (mexmpi_build has printed it)
    %   chosen = mexmpi_use     gives its name
    %
    % Errors: mpi:noBuild, mpi:otherBuild (one has been used in this session already), mpi:twoToolboxes (filempi, whose
    % functions have the same names and other arguments, is on the path too).

    persistent used
    refuse_filempi();
    if nargin < 1
        name = getenv('MEXMPI_USE');
    end
    builds = all_builds();
    if isempty(builds)
        error('mpi:noBuild', 'There is no build of mexmpi in %s. Call mexmpi_build first.', mexmpi_builds());
    end
    if ~isempty(name)
        fits = builds(strncmp({builds.name}, name, numel(name)));
        if isempty(fits)
            error('mpi:noBuild', 'There is no build of mexmpi named %s. There are: %s.', name, strjoin({builds.name}, ', '));
        end
    elseif ~isempty(used)
        fits = builds(strcmp({builds.name}, used));
    else
        fits = for_launcher(builds);
    end
    choice = fits(1);
    if ~isempty(used) && ~strcmp(used, choice.name)
        error('mpi:otherBuild', 'This session uses %s already; start another one for %s.', used, choice.name);
    end
    if isempty(used)
        addpath(choice.folder);
        used = choice.name;
    end
    if nargout > 0
        chosen = choice.name;
    end
end

function refuse_filempi()
    if exist('filempi_check', 'file') || exist('MatMPI_Comm_settings', 'file')
        error('mpi:twoToolboxes', ['filempi and mexmpi are both on the path, and their functions have the same names with ', ...
                                   'other arguments. Take one off: rmpath(''%s'')'], fileparts(which('MPI_Run')));
    end
end

function builds = all_builds()
    root = mexmpi_builds();
    builds = struct('name', {}, 'folder', {}, 'mpi', {}, 'launcher', {});
    entries = dir(root);
    for k = 1:numel(entries)
        notes = fullfile(root, entries(k).name, 'build.txt');
        if ~any(entries(k).name == '.') || exist(notes, 'file')
            if exist(notes, 'file')
                builds(end + 1) = read_build(fullfile(root, entries(k).name), notes);
            end
        end
    end
end

function build = read_build(folder, notes)
    text = fileread(notes);
    build = struct('name', '', 'folder', folder, 'mpi', '', 'launcher', '');
    for field = {'name', 'mpi', 'launcher'}
        found = regexp(text, ['^', field{1}, ' (.*)$'], 'tokens', 'once', 'lineanchors', 'dotexceptnewline');
        build.(field{1}) = found{1};
    end
end

function fits = for_launcher(builds)
    % By what the launchers leave in the environment; of several builds of one family, that whose launcher this is.
    wanted = '';
    if ~isempty(getenv('OMPI_COMM_WORLD_SIZE'))
        wanted = 'openmpi';
    elseif ~isempty(getenv('I_MPI_MPIRUN'))
        wanted = 'intelmpi';
    elseif ~isempty(getenv('PMI_SIZE'))
        wanted = 'mpich';
    end
    fits = builds;
    if ~isempty(wanted)
        fits = builds(strncmp({builds.mpi}, wanted, numel(wanted)));
    end
    if isempty(fits)
        error('mpi:noBuild', 'This process was started by the launcher of %s, and there are builds for %s only.', wanted, ...
              strjoin({builds.name}, ', '));
    end
    version = getenv('OMPI_VERSION');
    if isempty(version)
        version = getenv('PMIX_VERSION');
    end
    same = ~cellfun(@isempty, strfind({fits.mpi}, version));
    if ~isempty(version) && any(same)
        fits = fits(same);
    end
end
