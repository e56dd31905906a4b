function MPI_Finalize()
    % MPI_Finalize  -  End using MPI: nothing may be sent or received after it. Raises MPI:writeFailed on a full disk.

    global FILEMPI
    filempi_close();
    if ~isempty(FILEMPI)
        FILEMPI.finalized = true;
    end
end
