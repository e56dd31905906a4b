function settings = MatMPI_Comm_settings()
    % MatMPI_Comm_settings  -  How jobs are run; put an edited copy earlier on the path, or set the environment variables.
    %
    %   interpreter    cell row, the words that start an interpreter; the statement to run is added as the last word
    %   remote         cell row, the words that start a command on another host; host and command are added
    %                  (the variable: in one line, separated by blanks)                              [FILEMPI_REMOTE]
    %   transport      'auto' (stream where all ranks share this machine, else files), 'stream', 'file',
    %                  'classic' (the reference's buffer and lock files, 10 ms pause), 'classic-spin' (no pause),
    %                  'classic-binary' (files as MATLAB saved them, not Octave's text)             [FILEMPI_TRANSPORT]
    %   folder         where job folders are made; '' chooses                                         [FILEMPI_DIR]
    %   logs           folder where what the ranks print stands, live and afterwards; 'off': none      [FILEMPI_LOGS]
    %   finalize_exits whether MPI_Finalize ends all ranks but the session's   [FILEMPI_FINALIZE=exit]
    %   deadline_s     longest wait for one message                                                   [FILEMPI_DEADLINE]
    %   notice_s       a rank that waits longer for one message says so; 0: never                   [FILEMPI_NOTICE]
    %   repair_s       how long a message that is announced but unreadable is tried again
    %   spin_s         how long a wait spins before it pauses (0 is taken when ranks exceed cores)    [FILEMPI_SPIN]
    %   inline_bytes   most bytes of elements that stand in the stream itself
    %   segment_bytes  a stream goes on in a new file after this many bytes
    %   piece_bytes    larger arrays travel in pieces (the file format ends at 2 GB)                  [FILEMPI_PIECE]
    %   grace_s        how long ranks may take to end by themselves when the job is aborted

    if exist('OCTAVE_VERSION', 'builtin') ~= 0
        settings.interpreter = {'octave-cli', '-qfW', '--no-gui', '--eval'};
    else
        settings.interpreter = {fullfile(matlabroot, 'bin', 'matlab'), '-nosplash', '-nodesktop', '-batch'};
    end
    settings.remote = strsplit(strtrim(text_of('FILEMPI_REMOTE', 'ssh -o BatchMode=yes')), ' ');
    settings.transport = text_of('FILEMPI_TRANSPORT', 'auto');
    settings.folder = text_of('FILEMPI_DIR', '');
    settings.logs = text_of('FILEMPI_LOGS', 'MatMPI');
    settings.finalize_exits = strcmp(text_of('FILEMPI_FINALIZE', ''), 'exit');
    settings.deadline_s = number_of('FILEMPI_DEADLINE', 3600);
    settings.notice_s = number_of('FILEMPI_NOTICE', 3);
    settings.notice_s(settings.notice_s == 0) = Inf;
    settings.repair_s = 5;
    settings.spin_s = number_of('FILEMPI_SPIN', 0.002);
    settings.inline_bytes = 32768;
    settings.segment_bytes = 4194304;
    settings.piece_bytes = number_of('FILEMPI_PIECE', 1073741824);
    settings.grace_s = 0.5;
end

function text = text_of(name, text)
    if ~isempty(getenv(name))
        text = getenv(name);
    end
end

function number = number_of(name, number)
    text = getenv(name);
    if isempty(text)
        return
    end
    number = str2double(text);
    if isnan(number) || number < 0
        error('MPI:badSetting', 'The environment variable %s must be a number that is not negative, not %s.', name, text);
    end
end
