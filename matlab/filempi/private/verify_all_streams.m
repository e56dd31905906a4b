function verify_all_streams()
    % The end of a program that ended well: make sure that all it sent was kept. Raises MPI:writeFailed.

    global FILEMPI
    if ~isempty(FILEMPI)
        verify_streams(1:numel(FILEMPI.writer));
    end
end
