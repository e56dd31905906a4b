function MPI_Init()
    % MPI_Init  -  Start using MPI. Under MPI_Run the job is joined already; alone, a job of one rank is made.
    %
    % Errors: MPI:cleared (the program has cleared all variables, and this rank has lost its job with them),
    % MPI:finalized (within a job nothing begins again after MPI_Finalize).

    global FILEMPI MPI_COMM_WORLD
    if isempty(FILEMPI) && strcmp(getenv('FILEMPI_PROCESS'), sprintf('%d', process_identity()))
        error('MPI:cleared', ...
              'This rank has lost its job: leave ''clear all'' and ''clear global'' out of a program that MPI_Run runs.');
    elseif ~isempty(FILEMPI) && FILEMPI.finalized && ~strcmp(FILEMPI.id, 'alone')
        error('MPI:finalized', 'MPI_Init after MPI_Finalize: call MPI_Finalize once, at the end of the program.');
    elseif isempty(FILEMPI) || FILEMPI.finalized
        [~, here] = parse_machines({}, 1);
        job = struct('size', 1, 'id', 'alone', 'cwd', pwd(), 'host', '', 'folders', {{''}}, 'streams', false, ...
                     'lists', false, 'cores', 1, 'hosts', {{''}}, 'machine_id', 1, 'background', false, ...
                     'machines', here, 'settings', job_settings());
        FILEMPI = initial_state(job, 0);
        forget();
        MPI_COMM_WORLD = make_comm(open_channel(''));
    end
end

function forget()
    global FILEMPI_OUT FILEMPI_IN
    FILEMPI_OUT = [];
    FILEMPI_IN = [];
    sync_counters();
end
