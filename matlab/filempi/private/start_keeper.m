function start_keeper(job)
    % Start the keeper: a shell in a session of its own that starts the ranks, records how each ended, and removes the
    % job's folders when all is over, however it ended. Raises MPI:startFailed.

    folder = shell_quote(job.folder);
    own_session = 'if command -v setsid >/dev/null 2>&1; then s=setsid; else s=; fi; ';
    status = system([own_session, '$s sh ', shell_quote([job.folder, '/keeper.sh']), ' ', folder, ...
                     ' </dev/null >/dev/null 2>&1 &']);
    if status ~= 0
        remove_tree(job.folder);
        error('MPI:startFailed', 'Cannot start the shell that keeps the job.');
    end
end
