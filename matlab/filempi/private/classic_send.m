function classic_send(dest, tag, comm, context, values)
    % The reference's protocol: save a buffer file, then create a lock file. Kept for comparison only: a second message of
    % the same source, destination and tag overwrites the first, and nothing is published atomically. The format is the
    % interpreter's own default (text in Octave), or the binary one that MATLAB had then.

    global FILEMPI
    [buffer, lock] = classic_file_names(comm.rank, dest, tag, comm, context);
    filempi_values = values;
    if FILEMPI.classic_binary
        save('-v6', buffer, 'filempi_values');
    else
        save(buffer, 'filempi_values');
    end
    fid = fopen(lock, 'w');
    if fid < 0
        error('MPI:writeFailed', 'Cannot create %s.', lock);
    end
    fclose(fid);
end
