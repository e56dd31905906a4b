function children = Octave_Spawn(noctaves, args, infokey)
    % Octave_Spawn  -  as MPI-TB had it: children = Octave_Spawn([noctaves [, args [, infokey]]]), after LAM_Init.
    %
    % Starts NSLAVES, or so many, Octave processes. NEWORLD, a global variable, holds all of us: this one is rank 0. They have
    % this session's folders; args is a cell of arguments, of which the text behind '--eval' counts, and no xterm is opened
    % (DEBUG lets them tell their commands). What they do:
    %
    %   a text that names a startup_...       that text
    %   another text                          startup_mergeParent, then that text
    %   no text                               the startup_... that the folder's .octaverc calls, or startup_ncmdsSlv
    %
    % Example: LAM_Init(1); Octave_Spawn(1, {'--eval', 'startup_bcastSlv'}); global NEWORLD; MPI_Bcast('disp(1)', 0, NEWORLD);

    global NSLAVES NOCTAVES NEWORLD

    if nargin < 1
        noctaves = NSLAVES;
    end
    if nargin < 2
        args = {};
    end
    if nargin < 3
        infokey = mexmpi_call('MPI_INFO_NULL');
    end
    if isempty(noctaves) || ~isscalar(noctaves) || noctaves < 1 || noctaves ~= fix(noctaves) || ~iscellstr(args)
        error('mpi:badInput', 'Octave_Spawn: how many, and a cell of texts. Call LAM_Init(2) before, or Octave_Spawn(2, {})');
    end
    words = {'-qfW', '--no-gui', '--eval', joining(eval_text(args))};
    program = fullfile(OCTAVE_EXEC_HOME(), 'bin', 'octave-cli');
    alone = mexmpi_call('MPI_COMM_SELF');
    [info, children, codes] = MPI_Comm_spawn(program, words, noctaves, infokey, 0, alone);
    if info ~= 0 || any(codes ~= 0)
        error('mpi:ERR_SPAWN', 'Octave_Spawn: %s cannot be started %d times; is there room for them in the job?', program, noctaves);
    end
    [~, NEWORLD] = MPI_Intercomm_merge(children, 0);
    NOCTAVES = noctaves;
    mpitb_children(children);
end

function text = joining(what)
    folder = fileparts(which('mexmpi_use'));
    text = sprintf('addpath(''%s''); mexmpi_use(''%s''); path(''%s''); cd(''%s''); mpitb_slave(''%s'');', quoted(folder), ...
                   mexmpi_use(), quoted(path()), quoted(pwd()), quoted(what));
end

function text = quoted(text)
    text = strrep(text, '''', '''''');
end

function text = eval_text(args)
    text = '';
    place = find(strcmp(args, '--eval'), 1);
    if ~isempty(place) && place < numel(args)
        text = args{place + 1};
        if isempty(strfind(text, 'startup_'))
            text = ['startup_mergeParent; ', text];
        end
    elseif exist(fullfile(pwd(), '.octaverc'), 'file')
        call = '^[ \t]*startup_(bcastSlv|ncmdsSlv|mergeParent)\>';
        text = strtrim(regexp(fileread('.octaverc'), call, 'match', 'once', 'lineanchors'));
    end
    if isempty(text)
        text = 'startup_ncmdsSlv';
    end
end
