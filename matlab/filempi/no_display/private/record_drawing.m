function outputs = record_drawing(name, kind, inputs, count)
    % Keep a call that draws, and write the calls that make the current figure into MatMPI/figure.RANK.NUMBER.mat.
    %
    % kind: 'picture' begins the picture anew unless hold is on; 'addition' adds to it; 'state' chooses or clears it.
    % outputs: cell of count outputs; a handle is a number above 1e9 that MatMPI_Show_figure knows again.
    %
    % A program may draw in each step of a loop, so a file is written once a second at most, and when the figure is closed,
    % which Octave does with all figures when it ends, and leave_job in the session.

    persistent figures current serial
    if isempty(figures)
        figures = struct('number', {}, 'calls', {}, 'held', {}, 'axes', {}, 'written', {});
        current = 0;
        serial = 1e9;
    end
    if any(strcmp(name, {'get', 'set'})) && ~isempty(inputs) && isequal(inputs{1}, 0)
        outputs = cell(1, count);
        [outputs{:}] = builtin(name, inputs{:});
        return
    end
    if current == 0 && any(strcmp(name, {'close', 'drawnow', 'refresh', 'print', 'saveas', 'get'}))
        outputs = repmat({[]}, 1, count); % Octave itself closes all figures when it ends
        return
    end
    if strcmp(name, 'figure') || current == 0
        [figures, current] = choose_figure(figures, current, name, inputs);
    end
    place = find([figures.number] == current, 1);
    serial = serial + 1;
    figures(place) = changed(figures(place), name, kind, inputs, serial);
    outputs = answers(name, inputs, count, current, serial);
    if strcmp(name, 'close')
        all_of_them = ~isempty(inputs) && strcmp(inputs{1}, 'all');
        closed = [figures.number] == current | all_of_them;
        arrayfun(@write_figure, figures(closed));
        figures(closed) = [];
        current = max([0, [figures.number]]);
    elseif ~any(strcmp(name, {'gcf', 'gca', 'get', 'figure'}))
        if isempty(figures(place).written) || toc(figures(place).written) > 1
            write_figure(figures(place));
            figures(place).written = tic();
        end
    end
end

function [figures, current] = choose_figure(figures, current, name, inputs)
    if strcmp(name, 'figure') && ~isempty(inputs) && isnumeric(inputs{1})
        current = inputs{1};
    elseif strcmp(name, 'figure') || isempty(figures)
        current = max([0, [figures.number]]) + 1;
    end
    if ~any([figures.number] == current)
        figures(end + 1) = struct('number', current, 'calls', {{}}, 'held', false, 'axes', '', 'written', []);
    end
end

function one = changed(one, name, kind, inputs, serial)
    call = {one.axes, name, inputs, serial};
    switch name
        case 'clf'
            one.calls = {};
        case 'cla'
            one.calls = others(one);
        case 'hold'
            one.held = isempty(inputs) && ~one.held || ~isempty(inputs) && strcmp(inputs{1}, 'on');
            one.calls{end + 1} = call;
        case {'subplot', 'axes'}
            one.axes = sprintf('%g ', inputs{cellfun(@isnumeric, inputs)});
            call{1} = one.axes;
            one.calls{end + 1} = call;
        case {'figure', 'close', 'drawnow', 'refresh', 'gcf', 'get', 'print', 'saveas'}
            return
        otherwise
            if strcmp(kind, 'picture') && ~one.held
                one.calls = others(one);
            elseif strcmp(kind, 'addition') && ~any(strcmp(name, {'line', 'text'}))
                one.calls(cellfun(@(old) is_overruled(old, call), one.calls)) = [];
            end
            one.calls{end + 1} = call;
    end
end

function answer = is_overruled(old, call)
    % Does the later of two calls undo the earlier? Of set that is so for the same property of the same object.
    answer = strcmp(old{1}, call{1}) && strcmp(old{2}, call{2});
    if answer && strcmp(call{2}, 'set')
        answer = numel(call{3}) > 1 && numel(old{3}) > 1 && isequal(old{3}(1:2), call{3}(1:2));
    end
end

function calls = others(one)
    % The calls that do not belong to the axes which are drawn anew, and how these axes were chosen.
    keep = cellfun(@(call) ~strcmp(call{1}, one.axes) || any(strcmp(call{2}, {'subplot', 'axes', 'colormap'})), one.calls);
    calls = one.calls(keep);
end

function outputs = answers(name, inputs, count, current, serial)
    outputs = repmat({serial}, 1, count);
    if count == 0
        return
    end
    switch name
        case {'figure', 'gcf'}
            outputs{1} = current;
        case {'axis', 'xlim', 'ylim', 'zlim', 'caxis'}
            outputs{1} = [0, 1, 0, 1];
            outputs{1} = outputs{1}(1:2 + 2 * strcmp(name, 'axis'));
        case 'colormap'
            outputs{1} = repmat((0:63).' / 63, 1, 3);
            if ~isempty(inputs) && isnumeric(inputs{1})
                outputs{1} = inputs{1};
            end
        case 'get'
            outputs{1} = [];
    end
end

function write_figure(one)
    global FILEMPI
    persistent told
    folder = [pwd(), '/MatMPI'];
    rank = 0;
    if ~isempty(FILEMPI)
        folder = [FILEMPI.cwd, '/MatMPI'];
        rank = FILEMPI.rank;
    end
    if exist(folder, 'dir') ~= 7
        mkdir(folder);
    end
    drawing = one.calls;
    file = sprintf('%s/figure.%d.%d.mat', folder, rank, one.number);
    save('-v6', file, 'drawing');
    if isempty(told)
        told = true;
        fprintf(2, ['[filempi] rank %d has no display and no graphics toolkit: figures are kept as %s/figure.%d.*.mat; ', ...
                    'draw them elsewhere by MatMPI_Show_figure(FILE).\n'], rank, folder, rank);
    end
end
