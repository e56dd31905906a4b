function count = fwrite(fid, words, precision, varargin)
    % Appends to a stream are repeated, lost, or cut; all other writing is left as it is.

    count = numel(words);
    if ~strcmp(precision, 'double')
        count = builtin('fwrite', fid, words, precision, varargin{:});
        return
    end
    if fault_strikes('lost')
        return
    end
    if fault_strikes('cut')
        words = words(1:end - 3);
    end
    builtin('fwrite', fid, words, 'double');
    if fault_strikes('twice')
        builtin('fwrite', fid, words, 'double');
    end
end
