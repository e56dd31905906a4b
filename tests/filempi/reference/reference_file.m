function name = reference_file(kind, source, dest, tag, comm)
    % The path of a buffer or lock file. Source and tag may be patterns, as MPI_Probe gives them.

    name = [comm.folder, '/p', num2str(source), '_p', num2str(dest), '_t', num2str(tag), '_', kind, '.mat'];
end
