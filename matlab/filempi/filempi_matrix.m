function [value, done] = filempi_matrix(link, words, position)
    % The real double matrix behind a frame of kind 5 at position (bytes) of a stream; done is false while the stream
    % does not hold all of it. Raises MPI:damaged when its end mark is missing.

    global FILEMPI
    value = [];
    content = filempi_read(FILEMPI.reader(link), words(7), position + 64);
    done = numel(content) == words(7);
    if ~done
        return
    end
    if content(end) ~= words(2)
        error('MPI:damaged', 'The frame %d of the stream %s has no end mark.', words(2), FILEMPI.inbox{link});
    end
    value = reshape(content(1:end - 1), words(6), []);
end
