function MPI_Abort(varargin)
    % MPI_Abort  -  End the whole job: ranks that wait raise MPI:aborted, the others are ended; nothing is left.
    %
    % In a session without a running job it removes what killed jobs have left. Arguments are ignored.

    global FILEMPI
    if isempty(FILEMPI) || strcmp(FILEMPI.id, 'alone')
        filempi_sweep(MatMPI_Comm_settings());
        return
    end
    text = sprintf('Rank %d has aborted the job.', FILEMPI.rank);
    filempi_call_off(FILEMPI.folder, FILEMPI.rank, text);
    error('MPI:aborted', '%s', text);
end
