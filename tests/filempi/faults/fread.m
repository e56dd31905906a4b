function [words, count] = fread(fid, shape, precision, varargin)
    % Reads of a stream end early, or show zeros where data is not visible yet; all other reading is left as it is.

    [words, count] = builtin('fread', fid, shape, precision, varargin{:});
    if strcmp(precision, 'double') && count == shape(2) && fault_strikes('short')
        words = words(1:floor(count / 2));
        count = numel(words);
    end
    if strcmp(precision, 'double') && count == shape(2) && fault_strikes('zeros')
        words(end) = 0;
    end
end
