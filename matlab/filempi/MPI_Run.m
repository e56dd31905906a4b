function commands = MPI_Run(m_file, n_proc, machines)
    % MPI_Run  -  Run a script on n_proc ranks; rank 0 is this session, and evaluates what is returned:
    %
    %   eval(MPI_Run(m_file, n_proc, machines))
    %
    % m_file: the script's name (or path), without arguments. machines: {} for this machine, {'host1', 'host2'} to deal
    % ranks out among hosts that share the working folder, {'host1:dir1', ...} to give each host's ranks an inbox in dir.
    % When the first machine is not this one, all ranks run elsewhere and this session only waits for them.
    %
    % Nothing is left when the evaluation ends: no process, no file. The other ranks' output is shown then.
    % Errors: MPI:badProgram, MPI:badMachines, MPI:startFailed, and what the program raises.

    if nargin < 3
        machines = {};
    end
    if exist('OCTAVE_VERSION', 'builtin') == 0
        addpath(fullfile(fileparts(mfilename('fullpath')), 'for_matlab'));
    end
    settings = MatMPI_Comm_settings();
    filempi_sweep(settings);
    program = filempi_program(m_file);
    places = filempi_machines(machines, n_proc);
    job = filempi_create_job(program, places, settings);
    filempi_start_keeper(job);
    number = filempi_jobs('add', job);
    if job.local(1)
        commands = sprintf('filempi_rank_zero(%d);', number);
    else
        commands = sprintf('filempi_wait_for(%d);', number);
    end
end
