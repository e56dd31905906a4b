function MPI_Abort(varargin)
    % MPI_Abort  -  End the whole job: ranks that wait raise MPI:aborted, the others are ended; nothing is left.
    %
    % In a session without a running job it ends the jobs that run in the background from this folder, and removes what
    % killed jobs have left. Arguments are ignored.

    global FILEMPI
    if isempty(FILEMPI) || strcmp(FILEMPI.id, 'alone')
        abort_background_jobs();
        remove_stale_jobs(job_settings());
        return
    end
    text = sprintf('Rank %d has aborted the job.', FILEMPI.rank);
    abort_job(FILEMPI.folder, FILEMPI.rank, text);
    error('MPI:aborted', '%s', text);
end
