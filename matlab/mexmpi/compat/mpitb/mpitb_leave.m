function mpitb_leave()
    % A slave parts from those that have started it, who do the same (mpitb_dismiss): neither waits then for the other's end.

    global NEWORLD MPITB_PARENT_

    MPI_Comm_free(NEWORLD);
    MPI_Comm_disconnect(MPITB_PARENT_);
end
