function roots = worker_roots(word, comm)
    % A function of the turn (0, 1, ...) that gives the root of a collective, the same on every rank.

    count = comm.size;
    switch word
        case '0'
            roots = @(turn) 0;
        case 'last'
            roots = @(turn) count - 1;
        case 'middle'
            roots = @(turn) floor(count / 2);
        case 'rotate'
            roots = @(turn) mod(turn, count);
        otherwise
            roots = @(turn) mod(floor(abs(sin(turn + 1)) * 1e6), count);
    end
end
