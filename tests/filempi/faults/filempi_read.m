function words = filempi_read(fid, count, position, ~)
    % Reads of a stream end early, or show zeros where data is not visible yet.

    words = fread(fid, [1, count], 'double');
    if numel(words) == count && fault_strikes('short')
        words = words(1:floor(count / 2));
    end
    if numel(words) == count && fault_strikes('zeros')
        words(end) = 0;
    end
    if numel(words) < count
        fseek(fid, position, 'bof');
    end
end
