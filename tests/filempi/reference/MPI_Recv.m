function varargout = MPI_Recv(source, tag, comm)
    lock = reference_file('lock', source, comm.rank, tag, comm);
    started = tic();
    while exist(lock, 'file') ~= 2
        if toc(started) > 10
            error('reference:hangs', 'The reference waits for ever for %s.', lock);
        end
        pause(0.005);
    end
    buffer = reference_file('buffer', source, comm.rank, tag, comm);
    content = load(buffer);
    if ~comm.save_message_flag
        unlink(buffer);
        unlink(lock);
    end
    varargout = content.values;
end
