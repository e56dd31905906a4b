function words = read_words(fid, count, position, spins)
    % Primitive: read count words at position (bytes) of an open stream; fewer where the stream ends, and then the place
    % is as it was, so that the next call sees what was appended meanwhile. spins: how often more to try (0 when left out).

    words = fread(fid, [1, count], 'double');
    if numel(words) < count
        fseek(fid, position, 'bof');
        if nargin > 3
            while numel(words) < count && spins > 0
                spins = spins - 1;
                words = fread(fid, [1, count], 'double');
                if numel(words) < count
                    fseek(fid, position, 'bof');
                end
            end
        end
    end
end
