function mexmpi_run(script)
    % mexmpi_run  -  Run a script as one rank of a job; an uncaught error ends the whole job.
    %
    %   mpiexec -n 4 octave-cli -qfW --no-gui --eval "addpath('matlab/mexmpi'); mexmpi_run('script.m')"
    %
    % It chooses the build for the launcher (mexmpi_use), calls MPI_Init when the script has not, runs the script, and calls
    % MPI_Finalize when the script has not. An error is told with rank, message and stack, and then ends the job by
    % MPI_Abort, so that no other rank waits for ever.

    mexmpi_use();
    try
        run_script(script);
        state = mexmpi_call_state();
        if state.initialized && ~state.finalized
            mexmpi_call('MPI_Finalize');
        end
    catch problem
        mexmpi_report(problem);
        state = mexmpi_call_state();
        if state.initialized && ~state.finalized
            mexmpi_call('MPI_Abort', 1);  % MPI-TB's, on the path, has other arguments
        end
        exit(1);
    end
end

function run_script(mexmpi_script_name)
    % In a workspace of its own: a "clear all" of the script finds nothing of this function's.
    evalin('base', sprintf('source(''%s'');', strrep(mexmpi_script_name, '''', '''''')));
end

function state = mexmpi_call_state()
    state = mexmpi_state();
end
