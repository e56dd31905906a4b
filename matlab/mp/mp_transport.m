function m = mp_transport(command)
    % The operations of mp over the transport that this program was started on: filempi, mexmpi, or none (serial).

    persistent operations
    if nargin > 0 && strcmp(command, 'end')
        operations = [];
        return
    end
    if isempty(operations)
        operations = feval(['mp_over_', chosen()]);
    end
    m = operations;
end

function name = chosen()
    % MP_TRANSPORT, else what the launcher has left in the environment.
    name = getenv('MP_TRANSPORT');
    if ~isempty(name)
        if ~any(strcmp(name, {'filempi', 'mexmpi', 'serial'}))
            error('MPI:badTransport', 'MP_TRANSPORT is %s, and must be filempi, mexmpi or serial.', name);
        end
    elseif ~isempty(getenv('OMPI_COMM_WORLD_SIZE')) || ~isempty(getenv('PMI_SIZE'))
        name = 'mexmpi';
    elseif exist('MPI_Run', 'file') && exist('filempi_check', 'file') && in_filempi_job()
        name = 'filempi';
    else
        name = 'serial';
    end
end

function is_one = in_filempi_job()
    global FILEMPI
    is_one = ~isempty(getenv('FILEMPI_JOB')) || ~isempty(FILEMPI);
end
