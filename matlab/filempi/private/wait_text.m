function text = wait_text(wait, source, tag)
    % For what a wait waits, in words.

    from = sprintf('rank %s', shown_tag(source));
    if ischar(source)
        from = 'any rank';
    end
    calls = {'', ' in MPI_Gather', ' in MPI_Barrier', ' in MPI_Map', ' in MPI_Scatter', ' in MPI_Reduce', ...
             ' in MPI_Alltoall', ' in MPI_Allgather or MPI_Allreduce'};
    text = sprintf('for a message from %s', from);
    if wait.context ~= 2
        text = sprintf('%s with tag %s', text, shown_tag(tag));
    end
    text = [text, calls{wait.context + 1}];
end
