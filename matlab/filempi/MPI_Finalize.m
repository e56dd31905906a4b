function MPI_Finalize()
    % MPI_Finalize  -  End using MPI: nothing may be sent or received after it. Raises MPI:writeFailed on a full disk.

    global FILEMPI
    filempi_close();
    if ~isempty(FILEMPI)
        FILEMPI.finalized = true;
        FILEMPI.key = NaN; % no communicator has it: whatever is sent or received goes by filempi_check, which refuses
    end
end
