function missed = worker_missed_rounds(count, reached_late, began_late)
    % Rounds of an order that tell whether appointments can be kept: those reached late; all of them where no round is left.

    missed = reached_late;
    if reached_late + began_late >= count
        missed = count;
    end
end
