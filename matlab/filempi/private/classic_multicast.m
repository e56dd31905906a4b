function classic_multicast(dests, tag, comm, context, values)
    % Send to each, then wait until each has received, as the source of the reference's MPI_Bcast does: a later message of the
    % same tag would overwrite this one. Saved messages stay, so nothing is waited for.

    global FILEMPI
    for dest = dests
        send_any(dest, tag, comm, context, values);
    end
    if comm.save_message_flag ~= 0
        return
    end
    for dest = dests
        [~, lock] = classic_file_names(comm.rank, dest, tag, comm, context);
        wait = start_wait(FILEMPI.deadline_s, context);
        while message_exists(lock)
            if FILEMPI.classic_pause_s > 0
                pause(FILEMPI.classic_pause_s);
            end
            wait = classic_watch(wait, dest, comm, lock);
        end
    end
end
