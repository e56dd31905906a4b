function [buffer, lock] = filempi_classic_names(source, dest, tag, context)
    % Names of the buffer and lock file, made by num2str as the reference makes them.

    global FILEMPI
    stem = [FILEMPI.folder, '/p', num2str(source), '_p', num2str(dest), '_t', num2str(tag), '_c', num2str(context)];
    buffer = [stem, '_buffer.mat'];
    lock = [stem, '_lock.mat'];
end
