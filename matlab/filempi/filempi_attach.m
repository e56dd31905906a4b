function filempi_attach(folder, rank)
    % Join a job as one of its ranks: check its folder, read the job's description, make MPI_COMM_WORLD.
    % Raises MPI:insecure when others may write to the folder or own it.

    global FILEMPI FILEMPI_OUT FILEMPI_IN MPI_COMM_WORLD
    filempi_secure(folder);
    job = filempi_fetch([folder, '/job']);
    filempi_lists(job.lists);
    for k = 1:numel(job.folders)
        if ~strcmp(job.folders{k}, folder)
            filempi_secure(job.folders{k});
        end
    end
    FILEMPI = filempi_state(job, rank);
    FILEMPI.folder = folder;
    FILEMPI_OUT = [];
    FILEMPI_IN = [];
    filempi_sync();
    setenv('FILEMPI_PROCESS', sprintf('%d', filempi_process()));
    MPI_COMM_WORLD = filempi_comm(filempi_open_channel(''));
end
