function [rank, tag] = check_arguments(rank, tag, comm, receiving)
    % Refuse a rank, tag or communicator that cannot be meant; give back rank and tag as doubles ('*' as it is), because one
    % number of an integer class makes integers of all that it stands beside. A text as tag comes back as its tag_number.
    % Raises MPI:badRank, MPI:badTag, MPI:badComm, MPI:finalized.

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
    if isnumeric(rank)
        rank = full(double(rank));
    end
    if ~(isnumeric(tag) && numel(tag) == 1 && mod(tag, 1) == 0 && abs(tag) <= 9007199254740992)
        if ~(receiving && ischar(tag) && strcmp(tag, '*'))
            tag = text_tag(tag);
        end
    end
    if isnumeric(tag)
        tag = full(double(tag));
    end
end

function tag = text_tag(tag)
    % A tag that is text is a number inside: tag_number(text). Text of a whole number is that number, and a number with a
    % fraction is its text, as in the file names of the reference.
    if isnumeric(tag) && numel(tag) == 1 && ~isempty(tag_text(tag))
        return
    end
    if isnumeric(tag) && isreal(tag) && numel(tag) == 1 && abs(tag) < 1e15
        tag = num2str(full(double(tag)));
    end
    if ~ischar(tag) || size(tag, 1) ~= 1 || any(tag == '*') || any(tag == 0)
        error('MPI:badTag', 'A tag must be a number, at most 2^53, or one line of text without ''*''.');
    end
    number = str2double(tag);
    if abs(number) <= 9007199254740992 && strcmp(sprintf('%d', number), tag)
        tag = number;
    else
        tag = tag_number(tag);
    end
end
