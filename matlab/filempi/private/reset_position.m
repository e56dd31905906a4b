function reset_position()
    % Set the stream that MPI_Recv has looked at back to where its next message begins.

    global FILEMPI_IN
    if ~isempty(FILEMPI_IN) && FILEMPI_IN(1) >= 0 && FILEMPI_IN(4) > 0
        fseek(FILEMPI_IN(4), FILEMPI_IN(7), 'bof');
    end
end
