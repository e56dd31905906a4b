function OMPI_Init(nslaves, varargin)
    % OMPI_Init  -  as MPI-TB had it: MPI_Init where it is not done yet, and what Octave_Spawn needs to know.
    %
    %   OMPI_Init()                            NSLAVES as it is, or by HOSTS, or by how many processes the job may have
    %   OMPI_Init(nslaves [, hosts])           so many slaves; hosts: a cell of names, the master's as the last
    %   OMPI_Init(nslaves, rpi, hosts)         the former form; rpi, the transport of LAM/MPI, means nothing here
    %
    % Afterwards the global variables NSLAVES, HOSTS and SPAWN_INFO are set. There is no LAM to boot: where processes start is
    % up to the launcher (mpiexec and its hosts), so the names in HOSTS are kept, not used. LAM_Init and MPITB_Init do the same.
    %
    % Example: LAM_Init(2); Octave_Spawn; NumCmds_Init(1); NumCmds_Send({'cmd', 'a'}, {'disp(a)', 7});

    global NSLAVES HOSTS SPAWN_INFO

    if nargin > 1 && iscell(varargin{end})
        if ~iscellstr(varargin{end})
            error('mpi:badInput', 'OMPI_Init: hosts must be a cell of texts, as {''node1'', ''master''}');
        end
        HOSTS = varargin{end};
        NSLAVES = numel(HOSTS) - 1;
    end
    start_mpi();
    if nargin > 0
        NSLAVES = nslaves;
    elseif isempty(NSLAVES)
        NSLAVES = default_slaves(HOSTS);
    end
    if ~isnumeric(NSLAVES) || ~isscalar(NSLAVES) || NSLAVES < 0 || NSLAVES ~= fix(NSLAVES)
        error('mpi:badInput', 'OMPI_Init: the number of slaves is a whole number, as OMPI_Init(2)');
    end
    if isempty(SPAWN_INFO)
        SPAWN_INFO = mexmpi_call('MPI_INFO_NULL');
    end
end

function start_mpi()
    [~, started] = MPI_Initialized();
    [~, ended] = MPI_Finalized();
    if ended
        error('mpi:finalized', ['OMPI_Init: MPI_Finalize was called, after which MPI cannot be started again in this session. ', ...
                                'Start another session, or leave out MPI_Finalize and LAM_Clean until the end']);
    elseif ~started
        MPI_Init();
    end
end

function slaves = default_slaves(hosts)
    slaves = numel(hosts) - 1;
    if isempty(hosts)
        [~, processes, known] = MPI_Attr_get(mexmpi_call('MPI_COMM_WORLD'), mexmpi_call('MPI_UNIVERSE_SIZE'));
        slaves = 1;
        if known
            slaves = max(double(processes) - 1, 1);
        end
    end
end
