function mpitb_dismiss()
    % Let slaves end that would wait for commands for ever, and part from them.

    global NEWORLD

    state = mpitb_children();
    if state.waiting
        NumCmds_Send({'cmd'}, {'mpitb_leave'});
        MPI_Comm_free(NEWORLD);
        MPI_Comm_disconnect(state.children);
        mpitb_children([]);
        NEWORLD = [];
    end
end
