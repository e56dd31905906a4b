function MatMPI_Show_figure(file)
    % MatMPI_Show_figure  -  Draw a figure that a rank without a display has kept in MatMPI/figure.RANK.NUMBER.mat.
    %
    %   MatMPI_Show_figure(file)
    %
    % Errors: MPI:badInputs.

    content = load(file);
    if ~isfield(content, 'drawing') || ~iscell(content.drawing)
        error('MPI:badInputs', '%s holds no figure of filempi.', file);
    end
    silent = {'hold', 'axis', 'grid', 'box', 'shading', 'set', 'colormap', 'view', 'xlim', 'ylim', 'zlim', 'caxis'};
    figure();
    known = zeros(0, 2);
    for k = 1:numel(content.drawing)
        [~, name, inputs, serial] = content.drawing{k}{:};
        inputs = cellfun(@(value) with_handle(value, known), inputs, 'UniformOutput', false);
        if any(strcmp(name, silent))
            feval(name, inputs{:});
        else
            handle = feval(name, inputs{:});
            known(end + 1, :) = [serial, handle(1)]; %#ok<AGROW>
        end
    end
end

function value = with_handle(value, known)
    if isnumeric(value) && numel(value) == 1 && any(known(:, 1) == value)
        value = known(known(:, 1) == value, 2);
    end
end
