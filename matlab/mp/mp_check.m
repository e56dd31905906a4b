function mp_check(rank, tag, count, receiving)
    % Refuse what is no rank or tag. Raises MPI:badRank, MPI:badTag.

    if ~(isnumeric(rank) && numel(rank) == 1 && rank >= 0 && rank < count && mod(rank, 1) == 0) ...
            && ~(receiving && ischar(rank) && strcmp(rank, '*'))
        error('MPI:badRank', 'A rank must be a whole number from 0 to %d.', count - 1);
    end
    if ~(isnumeric(tag) && numel(tag) == 1 && mod(tag, 1) == 0 && tag >= 0 && tag <= 32767) ...
            && ~(ischar(tag) && size(tag, 1) == 1 && (receiving || ~strcmp(tag, '*')))
        error('MPI:badTag', 'A tag must be a whole number from 0 to 32767, or text.');
    end
end
