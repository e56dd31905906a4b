function commands = MPI_Run(m_file, n_proc, machines)
    % MPI_Run  -  Run a script on n_proc ranks; rank 0 is this session, and evaluates what is returned:
    %
    %   eval(MPI_Run(m_file, n_proc, machines))
    %
    % m_file: the script's name (or path), without arguments. machines: {} for this machine, {'host1', 'host2'} to deal
    % ranks out in blocks among hosts that share the working folder, {'host1:dir1', ...} to give each host's ranks an inbox
    % in dir. When the first machine is not this one, all ranks run elsewhere and this session only waits for them. With
    % 'host&' as the first machine all ranks, 0 too, run in the background, and what is returned is empty.
    %
    % What a rank prints stands in MatMPI/NAME.RANK.out while it runs, and is shown when the evaluation ends; then no process
    % and no other file is left. Errors: MPI:badProgram, MPI:badMachines, MPI:startFailed, and what the program raises.

    if nargin < 3
        machines = {};
    end
    if exist('OCTAVE_VERSION', 'builtin') == 0
        addpath(fullfile(fileparts(mfilename('fullpath')), 'for_matlab'), '-end');
    else
        addpath(fullfile(fileparts(mfilename('fullpath')), 'for_octave'), '-end');
    end
    settings = job_settings();
    remove_stale_jobs(settings);
    program = resolve_program(m_file);
    [places, machines] = parse_machines(machines, n_proc);
    job = create_job(program, places, machines, settings);
    start_keeper(job);
    number = session_jobs('add', job);
    if job.background
        commands = '';
    elseif job.local(1)
        commands = sprintf('filempi_rank_zero(%d);', number);
    else
        commands = sprintf('filempi_wait_for(%d);', number);
    end
end
