function [packed, wrapped] = wrap_values(values, name, label)
    % Make a cell of values fit for a message file: what the format would change is wrapped, what it cannot carry is refused.
    %
    %   [packed, wrapped] = wrap_values(values, name, label)
    %
    % name: the message's file name, beside which pieces of large arrays are written ('': only check).
    % label: how errors call the values, e.g. 'value %d'. wrapped: 1 when unwrap_value has
    % something to undo. Raises MPI:cannotCarry with the value's place.

    if nargin < 3
        name = '';
        label = 'value %d';
    end
    packed = values;
    wrapped = 0;
    if numel(values) == 1 && isa(values{1}, 'double') && isreal(values{1}) && 8 * numel(values{1}) <= piece_bytes()
        return
    end
    for k = reshape(find(~is_plain(values)), 1, [])
        place = sprintf(label, k);
        [packed{k}, changed] = pack_one(values{k}, below(name, k), place);
        wrapped = max(wrapped, changed);
    end
end

function bytes = piece_bytes()
    global FILEMPI
    bytes = FILEMPI.piece_bytes;
end

function plain = is_plain(values)
    % Elements that the format carries as they are, found without looking at each in interpreted code.
    global FILEMPI
    plain = cellfun('isreal', values) & cellfun('prodofsize', values) * 8 <= FILEMPI.piece_bytes;
    plain = plain & ~cellfun('isclass', values, 'string');
    truths = plain & cellfun('isclass', values, 'logical');
    plain(truths) = ~cellfun(@issparse, values(truths));
    texts = cellfun('isclass', values, 'char');
    plain(texts) = plain(texts) & cellfun('size', values(texts), 1) == 1 & cellfun('ndims', values(texts)) == 2;
    texts = find(texts & plain);
    if ~isempty(texts) && any([values{texts}] > 127)
        plain(texts) = ~cellfun(@(text) any(text > 127), values(texts));
    end
end

function [packed, wrapped] = pack_one(value, name, place)
    packed = value;
    wrapped = 0;
    switch class(value)
        case {'double', 'single', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', ...
              'logical', 'char'}
            [packed, wrapped] = pack_array(value, name);
        case 'cell'
            [packed, wrapped] = wrap_values(value, name, [escape(place), '{%d}']);
        case 'struct'
            [packed, wrapped] = pack_struct(value, name, place);
        case 'function_handle'
            packed = pack_handle(value, name, place);
            wrapped = 1;
        case 'inline'
            packed = wrap('inline', {formula(value), argnames(value)});
            wrapped = 1;
        otherwise
            error('MPI:cannotCarry', ...
                  '%s is of class %s, which a message cannot carry. Send the data that it is made of instead.', ...
                  place, class(value));
    end
end

function [packed, wrapped] = pack_array(value, name)
    packed = value;
    wrapped = 0;
    if ischar(value)
        if isempty(name)
            return
        end
        packed = wrap('char', {uint16(value)});
        [packed.parts{1}, ~] = write_chunks(packed.parts{1}, name);
        wrapped = 1;
    elseif ~isreal(value) && nnz(imag(value)) == 0 && ~any(isnan(imag(value(:))))
        packed = wrap('complex', {real(value)});
        [packed.parts{1}, ~] = write_chunks(packed.parts{1}, name);
        imaginary = imag(value);  % first: of a scalar's value(:) Octave makes a real number
        if ~issparse(value) && any(1 ./ imaginary(:) < 0)
            [packed.parts{2}, ~] = write_chunks(imaginary, below(name, 2));
        end
        wrapped = 1;
    elseif issparse(value) && islogical(value)
        packed = wrap('logical', {double(value)});
        [packed.parts{1}, ~] = write_chunks(packed.parts{1}, name);
        wrapped = 1;
    else
        [packed, wrapped] = write_chunks(value, name);
    end
end

function [packed, wrapped] = pack_struct(value, name, place)
    packed = value;
    fields = fieldnames(value);
    wrapped = double(numel(value) == 1 && any(strcmp(fields, 'filempi_wrapped')));
    for k = 1:numel(fields)
        inside = cell(1, numel(value));
        [inside{:}] = value.(fields{k});
        label = [escape(place), '.', fields{k}];
        if numel(value) > 1
            label = [escape(place), '(%d).', fields{k}];
        end
        [inside, changed] = wrap_values(inside, below(name, k), label);
        if changed
            [packed.(fields{k})] = inside{:};
            wrapped = 1;
        end
    end
    if numel(value) == 1 && any(strcmp(fields, 'filempi_wrapped'))
        packed = wrap('itself', {packed});
    end
end

function packed = pack_handle(value, name, place)
    % A handle as its text; an anonymous function with what it has captured.
    facts = functions(value);
    captured = struct();
    if strcmp(facts.type, 'anonymous')
        if isfield(facts, 'workspace') && ~isempty(facts.workspace)
            [captured, ~] = pack_struct(facts.workspace{1}, below(name, 1), place);
        end
    elseif ~strcmp(facts.type, 'simple')
        error('MPI:cannotCarry', ['%s is a handle of the function %s inside another function or class (%s), which no ', ...
                                  'other rank can find. Make it a function of its own file, or an anonymous one.'], ...
              place, func2str(value), facts.type);
    end
    packed = wrap('handle', {func2str(value), captured});
end

function packed = wrap(kind, parts)
    packed = struct('filempi_wrapped', kind, 'parts', {parts});
end

function name = below(name, k)
    if ~isempty(name)
        name = sprintf('%s.%d', name, k);
    end
end

function text = escape(place)
    text = strrep(place, '%', '%%');
end
