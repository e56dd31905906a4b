function folder = mexmpi_build(mpi, varargin)
    % mexmpi_build  -  Compile mexmpi for an MPI of this machine; builds for several MPIs stand side by side.
    %
    %   mexmpi_build()                       for the MPI whose mpicc is on the PATH
    %   mexmpi_build('mpich')                for mpicc.mpich, or the mpicc of that name
    %   mexmpi_build('/opt/mpi/bin/mpicc')   for that one
    %   folder = mexmpi_build(mpi, 'options', '-g -O0', 'name', 'openmpi-debug')
    %
    % What it needs comes from the wrapper (mpicc -show) and from mpi.h. The build goes to the folder that MEXMPI_BUILDS
    % names, else to mexmpi/builds beside this file when that can be written, else to ~/.cache/mexmpi. Then mexmpi_use
    % chooses it. Errors: mpi:build, with what the compiler has said.

    if nargin < 1
        mpi = '';
    end
    options = struct('options', '-O1', 'name', '');
    for k = 1:2:numel(varargin)
        options.(varargin{k}) = varargin{k + 1};
    end
    wrapper = find_wrapper(mpi);
    tell_root(wrapper);
    facts = mpi_facts(wrapper);
    if isempty(options.name)
        options.name = facts.name;
    end
    folder = fullfile(mexmpi_builds(), options.name);
    draft = sprintf('%s.%d', folder, round(rem(now() * 1e8, 1e9)));
    make_folder(draft);
    write_text(fullfile(draft, 'mexmpi_have.h'), facts.have);
    compile(draft, wrapper, options.options);
    add_names(draft);
    write_text(fullfile(draft, 'build.txt'), sprintf('name %s\nmpi %s\nwrapper %s\nlauncher %s\n', options.name, ...
                                                     facts.name, wrapper, beside(wrapper, 'mpiexec')));
    if exist(folder, 'dir')
        remove_folder(folder);
    end
    [moved, why] = movefile(draft, folder);
    if ~moved
        error('mpi:build', 'The build could not be moved to %s: %s', folder, why);
    end
    if nargout == 0
        fprintf('mexmpi is built for %s: %s\n', facts.name, folder);
        clear folder;
    end
end

function wrapper = find_wrapper(mpi)
    if isempty(mpi)
        tries = {'mpicc'};
    elseif any(mpi == '/')
        tries = {mpi};
    else
        tries = {['mpicc.', mpi], ['mpicc-', mpi], mpi};
    end
    for k = 1:numel(tries)
        [status, text] = system(sprintf('command -v "%s" 2>/dev/null', tries{k}));
        if status == 0
            wrapper = strtrim(text);
            return
        end
    end
    error('mpi:build', 'There is no compiler wrapper %s. Give the path of an mpicc.', strjoin(tries, ', '));
end

function tell_root(wrapper)
    % Intel MPI's wrapper, where its environment was not set up, knows its own place from I_MPI_ROOT only.
    [~, shown] = system(sprintf('"%s" -show 2>/dev/null', wrapper));
    if ~isempty(strfind(shown, 'I_MPI_SUBSTITUTE_INSTALLDIR')) %#ok<STREMP>
        setenv('I_MPI_ROOT', fileparts(fileparts(wrapper)));
    end
end

function facts = mpi_facts(wrapper)
    % The name and version of the MPI, and which functions of the table its header declares.
    source = [tempname(), '.c'];
    write_text(source, sprintf('%s\n', '#include <mpi.h>', 'mexmpi_open OPEN_MPI OMPI_MAJOR_VERSION OMPI_MINOR_VERSION OMPI_RELEASE_VERSION', ...
                               'mexmpi_intel I_MPI_VERSION', 'mexmpi_mpich MPICH_VERSION'));
    [status, text] = system(sprintf('"%s" -E -P "%s" 2>&1', wrapper, source));
    delete(source);
    if status ~= 0
        error('mpi:build', '%s cannot read mpi.h:\n%s', wrapper, text(max(1, end - 2000):end));
    end
    facts.name = name_of(text);
    declared = regexp(text, '\<MPI_[A-Z]\w*(?=\s*\()', 'match');
    names = mexmpi_table_names();
    have = names(ismember(names, declared));
    facts.have = sprintf('#define HAVE_%s 1\n', have{:});
end

function name = name_of(text)
    open = regexp(text, 'mexmpi_open 1 (\d+) (\d+) (\d+)', 'tokens', 'once');
    intel = regexp(text, 'mexmpi_intel "([\d.]+)', 'tokens', 'once');
    mpich = regexp(text, 'mexmpi_mpich "([\w.]+)"', 'tokens', 'once');
    if ~isempty(open)
        name = sprintf('openmpi-%s.%s.%s', open{:});
    elseif ~isempty(intel)
        name = ['intelmpi-', intel{1}];
    elseif ~isempty(mpich)
        name = ['mpich-', mpich{1}];
    else
        error('mpi:build', 'This mpi.h is neither of Open MPI nor of MPICH nor of Intel MPI.');
    end
end

function names = mexmpi_table_names()
    text = fileread(fullfile(here(), 'functions', 'mexmpi_names.m'));
    names = regexp(text, '(?<='')MPI_\w+', 'match');
end

function compile(folder, wrapper, options)
    [status, shown] = system(sprintf('"%s" -show', wrapper));
    if status ~= 0
        error('mpi:build', '%s -show has failed: %s', wrapper, shown);
    end
    words = strsplit(strtrim(shown), ' ');
    words = words(2:end);
    compiling = words(starts(words, '-I') | starts(words, '-D') | strcmp(words, '-pthread'));
    linking = words(starts(words, '-L') | starts(words, '-l') | starts(words, '-Wl,') | is_library(words));
    paths = words(starts(words, '-L'));
    for k = 1:numel(paths)
        linking{end + 1} = ['-Wl,-rpath,', strrep(paths{k}(3:end), '"', '')];
    end
    source = fullfile(here(), 'source', 'mexmpi.cpp');
    target = fullfile(folder, ['mexmpi_call.', mexext()]);
    if exist('OCTAVE_VERSION', 'builtin')
        flags = strjoin([{'-std=gnu++17', '-Wall -Wno-sign-compare -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX', options, ['-I"', folder, '"']}, compiling], ' ');
        command = sprintf('mkoctfile --mex -R2018a -o "%s" %s "%s" %s -ldl', target, flags, source, strjoin(linking, ' '));
        % mkoctfile leaves a file of its own in the folder for temporary ones.
        [status, text] = system(['t=$(mktemp -d) || exit; TMPDIR=$t ', command, ' 2>&1; s=$?; rm -r "$t"; exit $s']);
        if status ~= 0
            error('mpi:build', 'The compiler has refused:\n%s\n%s', command, text(1:min(end, 6000)));
        end
    else
        mex('-R2018a', ['CXXFLAGS=$CXXFLAGS -std=c++17 ', options], '-outdir', folder, '-output', 'mexmpi_call', ['-I', folder], ...
            compiling{:}, source, linking{:}, '-ldl'); %#ok<*UNRCH>
    end
end

function found = starts(words, with)
    found = strncmp(words, with, numel(with));
end

function found = is_library(words)
    found = ~cellfun(@isempty, regexp(words, '\.(so|a)[\d.]*$', 'once'));
end

function add_names(folder)
    % One file under all names, with the help beside each.
    names = mexmpi_table_names();
    lines = {};
    for k = 1:numel(names)
        lines{end + 1} = sprintf('ln -s mexmpi_call.%s "%s.%s"', mexext(), names{k}, mexext());
    end
    lines{end + 1} = sprintf('for f in mexmpi_state mexmpi_debug; do ln -s mexmpi_call.%s $f.%s; done', mexext(), mexext());
    script = [tempname(), '.sh'];
    write_text(script, sprintf('%s\n', ['cd "', folder, '" || exit 1'], lines{:}, ['cp "', here(), '"/functions/*.m .']));
    [status, text] = system(sprintf('sh "%s" 2>&1', script));
    delete(script);
    if status ~= 0
        error('mpi:build', 'The names of the functions could not be made: %s', text);
    end
end

function write_text(name, text)
    file = fopen(name, 'w');
    if file < 0
        error('mpi:build', '%s cannot be written.', name);
    end
    fwrite(file, text);
    fclose(file);
end

function make_folder(name)
    [made, why] = mkdir(name);
    if ~made
        error('mpi:build', 'The folder %s cannot be made: %s', name, why);
    end
end

function remove_folder(name)
    [~, ~] = system(sprintf('rm -rf -- "%s"', name));
end

function name = beside(wrapper, program)
    folder = fileparts(wrapper);
    [~, base] = fileparts([wrapper, '.x']);
    name = fullfile(folder, strrep(base, 'mpicc', program));
end

function folder = here()
    folder = fileparts(mfilename('fullpath'));
end
