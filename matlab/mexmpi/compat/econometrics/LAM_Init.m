function LAM_Init(nodes, debug)
    % LAM_Init  -  as the Econometrics programs for MPI-TB had it: LAM_Init(nodes) starts so many slaves that wait for commands.
    %
    % What LAM_Init, Octave_Spawn and NumCmds_Init of compat/mpitb do, one after the other: afterwards NumCmds_Send may be
    % called, and the global variables NSLAVES, NEWORLD (rank 0 is this process), TAG and PARALLEL are set. LAM_Finalize lets
    % the slaves go; then LAM_Init may be called again. With debug, slaves tell their commands.
    %
    % Example: LAM_Init(2); NumCmds_Send({'a', 'cmd'}, {7, 'disp(a)'}); LAM_Finalize;

    global NSLAVES PARALLEL

    if nargin < 2
        debug = false;
    end
    mpitb_dismiss();
    OMPI_Init(nodes);
    finalize_at_end();
    Octave_Spawn(NSLAVES, {'--eval', 'startup_ncmdsSlv'});
    NumCmds_Init(0, true, 777, logical(debug));
    PARALLEL = 1;
end

function finalize_at_end()
    % The programs end without MPI_Finalize, which LAM_Finalize must not call: MPI cannot be started twice.
    persistent asked
    if isempty(asked)
        atexit('MPITB_Finalize');
        asked = true;
    end
end
