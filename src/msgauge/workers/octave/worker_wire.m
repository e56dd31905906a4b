function text = worker_wire(comm)
    % The keys of series=data_path that Octave can tell: what this host's network interfaces received while neighbours
    % exchanged a known number of bytes. All ranks call it together.

    bytes = 2^18;
    peer = bitxor(comm.rank, 1);
    alone = peer >= comm.size;
    message = zeros(1, bytes, 'uint8');
    exchange(comm, peer, alone, message);  % connections that are made on first use
    before = received();
    exchange(comm, peer, alone, message(1));  % nobody sends before both have read their counters
    exchange(comm, peer, alone, message);
    after = received();
    total = 0;
    most = 0;
    busiest = '';
    names = fieldnames(after);
    for k = 1:numel(names)
        if isfield(before, names{k})
            got = after.(names{k}).bytes - before.(names{k}).bytes;
            total = total + got;
            if got > most
                most = got;
                busiest = after.(names{k}).name;
            end
        end
    end
    text = sprintf('rank=%d large_moved=%.0f large_wire_received=%.0f', comm.rank, bytes * ~alone, total);
    if ~isempty(busiest)
        text = [text, ' wire=', worker_encode(busiest)];
    end
end

function exchange(comm, peer, alone, message)
    % First from the lower rank to the higher one, then back.
    if alone
        return
    end
    if comm.rank < peer
        MPI_Send(peer, 8, comm, message);
    end
    MPI_Recv(peer, 8, comm);
    if comm.rank > peer
        MPI_Send(peer, 8, comm, message);
    end
end

function counts = received()
    % Of each network interface but the one that talks to itself: its name, and bytes received.
    counts = struct();
    lines = strsplit(worker_text('/proc/net/dev'), sprintf('\n'));
    for k = 3:numel(lines)
        [name, rest] = strtok(strtrim(lines{k}), ':');
        if ~isempty(rest) && ~strcmp(name, 'lo')
            counts.(sprintf('i%d', k)) = struct('name', name, 'bytes', sscanf(rest(2:end), '%f', 1));
        end
    end
end
