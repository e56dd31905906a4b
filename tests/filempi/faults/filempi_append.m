function filempi_append(fid, words)
    % Appends are repeated, lost, or cut.

    if fault_strikes('lost')
        return
    end
    if fault_strikes('cut')
        words = words(1:end - 3);
    end
    fwrite(fid, words, 'double');
    if fault_strikes('twice')
        fwrite(fid, words, 'double');
    end
    fflush(fid);
end
