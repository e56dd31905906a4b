function filempi_close()
    % The end of a program that ended well: make sure that all it sent was kept. Raises MPI:writeFailed.

    global FILEMPI
    if ~isempty(FILEMPI)
        filempi_verify(1:numel(FILEMPI.writer));
    end
end
