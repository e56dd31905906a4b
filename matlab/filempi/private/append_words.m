function append_words(fid, words)
    % Primitive: append words (row of doubles) to an open stream, visible to the reader when this returns.
    % A full disk is not reported here by the interpreters; verify_streams finds it by the file's size.
    % MATLAB writes through without fflush; there the folder for_matlab has a function of that name that does nothing.

    fwrite(fid, words, 'double');
    fflush(fid);
end
