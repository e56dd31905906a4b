function make_side_folder(folder, main, host)
    % Make a folder of a job beside its main one. Its file home says whose it is: the host of the session and the main
    % folder there, by which remove_stale_jobs tells whether the job is still running. Raises MPI:writeFailed, MPI:insecure.

    make_private_folder(folder);
    write_text([folder, '/home'], sprintf('%s\n%s', host, main));
end
