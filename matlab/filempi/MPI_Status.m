function [source, tag, count] = MPI_Status(comm)
    % MPI_Status  -  Sender, tag and number of values of the message that was received last.

    global FILEMPI
    filempi_check('*', '*', comm, true);
    filempi_sync();
    source = FILEMPI.last(1);
    tag = FILEMPI.last(2);
    count = FILEMPI.last(3);
end
