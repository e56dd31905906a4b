function [buffer, lock] = classic_file_names(source, dest, tag, comm, context)
    % Names of the buffer and lock file, made as the reference makes them.

    global FILEMPI
    context = context * (context ~= 8) + 10 * comm.base / comm.size; % to a receiver MPI_Bcast is a send
    stem = [FILEMPI.folder, '/p', num2str(source), '_p', num2str(dest), '_t', shown_tag(tag), '_c', num2str(context)];
    buffer = [stem, '_buffer.mat'];
    lock = [stem, '_lock.mat'];
end
