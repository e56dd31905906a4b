function settings = job_settings()
    % The settings of MatMPI_Comm_settings as it is found on the path: ours, an edited copy, or one that was written for
    % MatlabMPI, which has other fields. Of that the remote command is taken, the rest is as in ours.

    settings = MatMPI_Comm_settings();
    if isfield(settings, 'transport')
        return
    end
    theirs = settings;
    previous = cd(fileparts(fileparts(mfilename('fullpath'))));
    back = onCleanup(@() cd(previous));
    clear('MatMPI_Comm_settings'); % the interpreter holds theirs
    settings = MatMPI_Comm_settings();
    clear('MatMPI_Comm_settings', 'back');
    command = '';
    if isfield(theirs, 'remote_launch')
        command = theirs.remote_launch;
    end
    if isfield(theirs, 'remote_flags')
        command = [command, ' ', theirs.remote_flags];
    end
    if ~isempty(strtrim(command))
        settings.remote = strsplit(strtrim(regexprep(command, '\s+', ' ')), ' ');
    end
end
