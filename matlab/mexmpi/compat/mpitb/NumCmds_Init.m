function NumCmds_Init(ncmd, qflg, tagn, dbug)
    % NumCmds_Init  -  as MPI-TB had it: NumCmds_Init([ncmd [, qflg [, tagn [, dbug]]]]), after Octave_Spawn.
    %
    %   ncmd: how many commands each slave gets; 0 (default): until the command break, exit or quit
    %   qflg: kept for the slaves as QUIT; they end after the last command in any case, for they have no window
    %   tagn: the tag of the messages; default: TAG, a global variable that is set to it, or 777
    %   dbug: slaves tell their commands; default: DEBUG, a global variable that is set to it, or true
    %
    % Example: LAM_Init(1); Octave_Spawn; NumCmds_Init(1, true, 777, false); NumCmds_Send({'cmd'}, {'disp(RANK)'});

    global TAG DEBUG NEWORLD

    if isempty(TAG)
        TAG = 777;
    end
    if isempty(DEBUG)
        DEBUG = true;
    end
    if nargin < 1
        ncmd = 0;
    end
    if nargin < 2
        qflg = false;
    end
    if nargin > 2
        TAG = tagn;
    end
    if nargin > 3
        DEBUG = dbug;
    end
    if isempty(NEWORLD)
        error('mpi:badInput', 'NumCmds_Init: there are no slaves (NEWORLD). Call LAM_Init(2) and Octave_Spawn before');
    end
    settings = double([ncmd, qflg, TAG, DEBUG]);
    if numel(settings) ~= 4 || any(settings ~= fix(settings)) || any(settings < 0)
        error('mpi:badInput', 'NumCmds_Init: four whole numbers that are not negative, as NumCmds_Init(0, false, 777, false)');
    end
    MPI_Bcast(settings, 0, NEWORLD);
    state = mpitb_children();
    mpitb_children(state.children, ncmd == 0);
end
