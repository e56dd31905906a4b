function MPI_Finalize()
    % MPI_Finalize  -  End using MPI: nothing may be sent or received after it. Raises MPI:writeFailed on a full disk.
    %
    % With the setting finalize_exits (FILEMPI_FINALIZE=exit) every rank but the session ends here, as in MatlabMPI 1.2br2.

    global FILEMPI
    verify_all_streams();
    if ~isempty(FILEMPI)
        FILEMPI.finalized = true;
        FILEMPI.key = NaN; % no communicator has it: whatever is sent or received goes by check_arguments, which refuses
        if FILEMPI.finalize_exits && FILEMPI.rank ~= FILEMPI.comm.host_rank && ~strcmp(FILEMPI.id, 'alone')
            exit(0);
        end
    end
end
