function [source, tag, count] = MPI_Status(comm)
    % MPI_Status  -  Sender, tag and number of values of the message that was received last.

    global FILEMPI
    check_arguments('*', '*', comm, true);
    sync_counters();
    source = FILEMPI.last(1);
    tag = FILEMPI.last(2);
    if ~isempty(tag_text(tag))
        tag = tag_text(tag);
    end
    count = FILEMPI.last(3);
end
