function [rank, tag] = filempi_check(rank, tag, comm, receiving)
    % Refuse a rank, tag or communicator that cannot be meant; give back rank and tag as doubles ('*' as it is), because one
    % number of an integer class makes integers of all that it stands beside. Raises MPI:badRank, MPI:badTag, MPI:badComm,
    % MPI:finalized.

    global FILEMPI
    if isempty(FILEMPI) || ~isstruct(comm) || ~isfield(comm, 'base') || ~strcmp(comm.job, FILEMPI.id)
        error('MPI:badComm', ...
              'This communicator is of no running job. Call MPI_Init, and take MPI_COMM_WORLD after it.');
    end
    if FILEMPI.finalized
        error('MPI:finalized', 'MPI_Finalize was called: nothing may be sent or received after it.');
    end
    if ~(isnumeric(rank) && numel(rank) == 1 && rank >= 0 && rank < comm.size && mod(rank, 1) == 0) ...
            && ~(receiving && ischar(rank) && strcmp(rank, '*'))
        error('MPI:badRank', 'A rank must be a whole number from 0 to %d.', comm.size - 1);
    end
    if ~(isnumeric(tag) && numel(tag) == 1 && mod(tag, 1) == 0 && abs(tag) <= 9007199254740992) ...
            && ~(receiving && ischar(tag) && strcmp(tag, '*'))
        error('MPI:badTag', 'A tag must be a whole number, at most 2^53.');
    end
    if isnumeric(rank)
        rank = full(double(rank));
    end
    if isnumeric(tag)
        tag = full(double(tag));
    end
end
