function example_outcome(name, body)
    % Run one example on this rank and print how it went. After a failure the ranks may no longer agree: the job is ended.

    try
        run_body(body);
        MPI_Barrier();
        if MPI_Comm_rank() == 0 % lines of several ranks would mix
            fputs(stdout, sprintf('ok %s\n', name));
        end
    catch problem
        if strcmp(problem.identifier, 'mpi:unsupported') && ~isempty(strfind(getenv('LACKING'), [' ', name, ' '])) %#ok<STREMP>
            if MPI_Comm_rank() == 0
                fputs(stdout, sprintf('lacking %s\n', name));
            end
        else
            fputs(stdout, sprintf('failed %s: rank %d of %d: %s (%s)\n', name, MPI_Comm_rank(), MPI_Comm_size(), problem.message, problem.identifier));
            fflush(stdout);
            if MPI_Comm_size() > 1
                pause(0.2);
                MPI_Abort(7);
            end
        end
    end
    fflush(stdout);
    MPI_Barrier();
end

function run_body(example_body)
    % In a workspace of its own, with the variables that every example has.
    w = MPI_COMM_WORLD();
    rank = MPI_Comm_rank(w);
    n = MPI_Comm_size(w);
    next = mod(rank + 1, n);
    last = mod(rank - 1, n);
    scratch = getenv('SCRATCH');
    octave_program = getenv('OCTAVE_PROGRAM');
    may_spawn = ~isempty(getenv('MAY_SPAWN')) && n == 1;
    may_connect = ~isempty(getenv('MAY_CONNECT'));
    may_publish = ~isempty(getenv('MAY_PUBLISH'));
    eval(example_body);
end
