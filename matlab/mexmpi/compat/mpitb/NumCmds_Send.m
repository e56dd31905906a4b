function NumCmds_Send(nams, vals)
    % NumCmds_Send  -  as MPI-TB had it: NumCmds_Send(nams, vals), after NumCmds_Init.
    %
    %   nams: a cell of names; that which is called cmd is run by the slaves
    %   vals: a cell of their values, one row for all slaves, or a row for each of the NSLAVES
    %
    % Example: NumCmds_Send({'a', 'cmd'}, {7, 'MPI_Send(a + RANK, 0, TAG, NEWORLD)'}); MPI_Recv(x, 1, TAG, NEWORLD);

    global NEWORLD NSLAVES TAG

    if isempty(NEWORLD) || isempty(NSLAVES) || isempty(TAG)
        error('mpi:badInput', 'NumCmds_Send: there are no slaves yet. Call LAM_Init(2), Octave_Spawn and NumCmds_Init before');
    end
    if ~iscellstr(nams) || ~iscell(vals) || numel(nams) ~= size(vals, 2) || ~any(size(vals, 1) == [1, NSLAVES])
        error('mpi:badInput', ['NumCmds_Send: a cell of names and a cell with a value for each, of one row or of a row for each ', ...
                               'slave, as NumCmds_Send({''a'', ''cmd''}, {1, ''disp(a)''})']);
    end
    for k = 1:NSLAVES
        row = min(k, size(vals, 1));
        if k == row
            message = zeros(1, 0, 'uint8');
            for n = 1:numel(nams)
                [~, message] = mpitb_call('MPI_Pack', 1, {nams{n}, vals{row, n}}, message, NEWORLD);
            end
        end
        MPI_Send(char(message), k, TAG, NEWORLD);
    end
    last = vals(1, strcmp(nams, 'cmd'));
    if ~isempty(last) && any(strcmp(strtrim(last{1}), {'break', 'exit', 'quit'}))
        state = mpitb_children();
        mpitb_children(state.children, false);
    end
end
