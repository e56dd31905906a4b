function varargout = MPI_Mcast(source, dests, tag, comm, varargin)
    % MPI_Mcast  -  Send values of rank source to some ranks.
    %
    %   [v1, v2, ...] = MPI_Mcast(source, dests, tag, comm, v1, v2, ...)      the values are read on source only
    %
    % As MPI_Bcast, but to the ranks in the row dests (source among them is passed over): each of them calls it too, or
    % MPI_Recv(source, tag, comm). A rank that is not in dests gets nothing: it must not ask for values.
    %
    % Errors: MPI:badRank, MPI:fewerValues.

    [source, tag] = check_arguments(source, tag, comm, false);
    for k = 1:numel(dests)
        check_arguments(dests(k), tag, comm, false);
    end
    dests = reshape(unique(full(double(dests))), 1, []);
    values = {};
    if comm.rank == source
        values = varargin;
        multicast(dests(dests ~= source), tag, comm, 8, values);
    elseif any(dests == comm.rank)
        values = receive_values(source, tag, comm);
        if nargout > 1 && numel(values) == 1 && iscell(values{1})
            values = reshape(values{1}, 1, []); % the reference hands out the elements of a cell
        end
    end
    varargout = check_outputs(values, nargout);
end
