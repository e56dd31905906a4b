function varargout = MPI_Mcast(source, dests, tag, comm, varargin)
    % A receiver gives out the elements of the first value, which must be a cell.
    if comm.rank ~= source
        varargout = MPI_Recv(source, tag, comm);
        return
    end
    dests = dests(dests ~= source);
    for dest = dests
        MPI_Send(dest, tag, comm, varargin{:});
    end
    for dest = dests
        while ~comm.save_message_flag && exist(reference_file('lock', source, dest, tag, comm), 'file') == 2
            pause(0.005);
        end
    end
end
