function MPI_Init()
    % MPI_Init  -  Start using MPI. Under MPI_Run the job is joined already; alone, a job of one rank is made.

    global FILEMPI MPI_COMM_WORLD
    if isempty(FILEMPI) || FILEMPI.finalized
        job = struct('size', 1, 'id', 'alone', 'cwd', pwd(), 'folders', {{''}}, 'streams', false, 'lists', false, ...
                     'cores', 1, 'settings', MatMPI_Comm_settings());
        FILEMPI = filempi_state(job, 0);
        forget();
        MPI_COMM_WORLD = filempi_comm(filempi_open_channel(''));
    end
end

function forget()
    global FILEMPI_OUT FILEMPI_IN
    FILEMPI_OUT = [];
    FILEMPI_IN = [];
    filempi_sync();
end
