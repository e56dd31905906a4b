function same = same_value(a, b)
    % Are two values the same in class, size, sparsity, complexity and every element (NaN equals NaN)?

    same = strcmp(class(a), class(b)) && isequal(size(a), size(b)) && issparse(a) == issparse(b);
    if ~same
        return
    end
    if iscell(a)
        for k = 1:numel(a)
            same = same && same_value(a{k}, b{k});
        end
    elseif isstruct(a)
        same = isequal(fieldnames(a), fieldnames(b)) && same_value(struct2cell(a), struct2cell(b));
    elseif ischar(a)
        same = isequal(a, b);
    else
        same = isreal(a) == isreal(b) && same_elements(a, b);
    end
end

function same = same_elements(a, b)
    % Parts first: of a scalar's a(:) and full(a) Octave makes a real number where the imaginary part is 0 or -0.
    parts = cellfun(@full, {real(a), real(b), imag(a), imag(b)}, 'UniformOutput', false);
    same = all(alike(parts{1}(:), parts{2}(:))) && all(alike(parts{3}(:), parts{4}(:)));
end

function alike_ones = alike(a, b)
    alike_ones = (a == b & 1 ./ double(a) == 1 ./ double(b)) | (isnan(a) & isnan(b));
end
