function [info, names, values, pos] = mpitb_unpacked(bytes, pos, comm, wanted)
    % The variables that stand behind the first pos bytes: as many as wanted, or all that there are (wanted: 0).

    info = zeros(1, 0);
    names = {};
    values = {};
    while all(info == 0) && (numel(values) < wanted || (wanted == 0 && any(bytes(pos + 1:end) ~= ' ' & bytes(pos + 1:end))))
        try
            [info(end + 1), packed, next] = mpitb_call('MPI_Unpack', 2, bytes, pos, comm);
        catch problem
            if ~any(strcmp(problem.identifier, {'mpi:notAValue', 'mpi:damaged', 'mpi:badInput'}))
                rethrow(problem);
            end
            info(end + 1) = mexmpi_call('MPI_ERR_TRUNCATE');
        end
        if info(end) == 0
            names{end + 1} = packed{1};
            values{end + 1} = packed{2};
            pos = next;
        end
    end
    if isempty(info)
        info = 0;
    end
end
