function worker_launch(comm, plan_file, samples_file)
    % Carry out a plan: frames about the launch, then each cell in turn; rank 0 writes the frames.

    plan = worker_plan(plan_file);
    worker_pin_to_core(plan, comm.rank);
    file = -1;
    if comm.rank == 0
        file = fopen(samples_file, 'w', 'ieee-le');
        if file < 0
            error('msgauge:samples', 'The samples file %s cannot be written.', samples_file);
        end
    end
    hellos = MPI_Gather(0, 1, comm, worker_hello(comm));
    places = MPI_Gather(0, 2, comm, sprintf('rank=%d host=%s pid=%d %s', comm.rank, gethostname(), getpid(), ...
                                            worker_rank_info()));
    stand = MPI_Allgather(4, comm, {gethostname(), worker_clock_identity()});
    stand = vertcat(stand{:});
    plan.one_clock = all(strcmp(stand(:, 2), stand{1, 2}));
    timer = worker_clock();
    for rank = 0:numel(hellos) - 1
        worker_frame(file, -1, ['kernel=launch series=hello ', hellos{rank + 1}], []);
        worker_frame(file, -1, ['kernel=launch series=rank ', places{rank + 1}], []);
    end
    worker_frame(file, -1, sprintf('kernel=launch series=clock clock=realtime cost_ns=%.1f resolution_ns=%.0f', ...
                                   timer.cost_ns, timer.resolution_ns), []);
    for k = 1:numel(plan.cells)
        worker_cell(comm, file, plan, plan.cells{k}, timer);
    end
    usages = MPI_Gather(0, 3, comm, worker_usage(comm.rank));
    for rank = 0:numel(usages) - 1
        worker_frame(file, -1, ['kernel=launch series=usage ', usages{rank + 1}], []);
    end
    if ~all(strcmp(stand(:, 1), stand{1, 1}))
        routes = MPI_Gather(0, 5, comm, worker_wire(comm));
        for rank = 0:numel(routes) - 1
            worker_frame(file, -1, ['kernel=launch series=data_path ', routes{rank + 1}], []);
        end
    end
    worker_frame(file, -1, 'kernel=launch series=end', []);
    if file >= 0
        fclose(file);
    end
end
