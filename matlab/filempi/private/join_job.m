function join_job(folder, rank)
    % Join a job as one of its ranks: check its folder, read the job's description, make MPI_COMM_WORLD.
    % Raises MPI:insecure when others may write to the folder or own it.

    global FILEMPI FILEMPI_OUT FILEMPI_IN MPI_COMM_WORLD
    check_private_folder(folder);
    job = read_message([folder, '/job']);
    uses_listing(job.lists);
    for k = 1:numel(job.folders)
        if ~strcmp(job.folders{k}, folder)
            check_private_folder(job.folders{k});
        end
    end
    FILEMPI = initial_state(job, rank);
    FILEMPI.folder = folder;
    FILEMPI_OUT = [];
    FILEMPI_IN = [];
    sync_counters();
    prepare_graphics();
    setenv('FILEMPI_PROCESS', sprintf('%d', process_identity()));
    MPI_COMM_WORLD = make_comm(open_channel(''));
end
