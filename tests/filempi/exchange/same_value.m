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
        same = isreal(a) == isreal(b) && same_elements(full(a(:)), full(b(:)));
    end
end

function same = same_elements(a, b)
    same = all(alike(real(a), real(b))) && all(alike(imag(a), imag(b)));
end

function alike_ones = alike(a, b)
    alike_ones = (a == b & 1 ./ double(a) == 1 ./ double(b)) | (isnan(a) & isnan(b));
end
