function startup_ncmdsSlv()
    % startup_ncmdsSlv  -  as MPI-TB had it: a slave joins its parent and runs the commands that NumCmds_Send sends.
    %
    % Each message holds variables, which stay, and a command under the name cmd; without one the last is run again. It ends
    % after as many as NumCmds_Init has said, or by the command break, exit or quit. NUMCMDS, QUIT, TAG, DEBUG and
    % MPILoopIdx are global variables, and so are those of startup_mergeParent.
    %
    % Example: LAM_Init(1); Octave_Spawn; NumCmds_Init(0); NumCmds_Send({'cmd'}, {'disp(RANK)'}); LAM_Clean;

    global WORLD NEWORLD RANK HOSTNAME NUMCMDS QUIT TAG DEBUG MPILoopIdx

    mpitb_joined();
    [~, mpitb_settings_] = MPI_Bcast(zeros(1, 4), 0, NEWORLD);
    NUMCMDS = mpitb_settings_(1);
    QUIT = logical(mpitb_settings_(2));
    TAG = mpitb_settings_(3);
    DEBUG = logical(mpitb_settings_(4));
    mpitb_last_ = '';
    MPILoopIdx = 0;
    while NUMCMDS == 0 || MPILoopIdx < NUMCMDS
        MPILoopIdx += 1;
        [~, ~, mpitb_message_] = MPI_Recv('', 0, TAG, NEWORLD);
        MPI_Unpack(mpitb_message_, 0, NEWORLD);
        if ~exist('cmd', 'var')
            cmd = mpitb_last_;
        end
        if DEBUG
            mpitb_line_ = sprintf('MPILoopIdx=%2d, cmd=''%s''\n', MPILoopIdx, cmd(1:min(50, end)));
            fputs(stdout, mpitb_line_);  % in one piece, for slaves share a terminal
            fflush(stdout);
        end
        if any(strcmp(strtrim(cmd), {'break', 'exit', 'quit', 'mpitb_leave'}))
            break
        end
        eval(cmd);
        mpitb_last_ = cmd;
        clear cmd
    end
    if exist('cmd', 'var') && strcmp(cmd, 'mpitb_leave')
        mpitb_leave();
    end
    MPI_Finalize();
end
