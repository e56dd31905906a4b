function [samples, operations, dropped] = worker_batches(comm, plan, item, payload, clock)
    % Times of batches of operations in ns until the cell's budget is spent, the warm-up taken off (MSER-5).
    % Batches are long enough that reading the clock is at most 1 part in 200; rank 0 decides, between batches.

    operations = 1;
    if comm.rank == 0
        first_ns = Inf;
        for trial = 1:3
            first_ns = min(first_ns, batch(comm, item, payload, 1));
        end
        if strcmp(item.mode, 'batch')
            least_ns = max(200 * clock.cost_ns, 20 * clock.resolution_ns);
            operations = max(1, min(10000, ceil(least_ns / max(1, first_ns))));
        end
        samples = [];
        spent_ns = 0;
        while numel(samples) < 10 || (spent_ns < plan.budget_ns && numel(samples) < 100000)
            samples(end + 1) = batch(comm, item, payload, operations); %#ok<AGROW>
            spent_ns = spent_ns + samples(end);
            if numel(samples) >= 3 && spent_ns > max(10 * plan.budget_ns, 5e9)
                break
            end
        end
        MPI_Send(1, 7, comm, 0);
        dropped = worker_transient(samples);
        samples = samples(dropped + 1:end);
    else
        count = MPI_Recv(0, 7, comm);
        while count > 0
            partner(comm, item, payload, count);
            count = MPI_Recv(0, 7, comm);
        end
        samples = [];
        dropped = 0;
    end
end

function spent_ns = batch(comm, item, payload, count)
    MPI_Send(1, 7, comm, count);
    MPI_Recv(1, 8, comm);
    started = tic();
    if strcmp(item.kernel, 'pingpong')
        for k = 1:count
            MPI_Send(1, 1, comm, payload);
            MPI_Recv(1, 1, comm);
        end
    else
        for k = 1:count
            for message = 1:64
                MPI_Send(1, 1, comm, payload);
            end
            MPI_Recv(1, 2, comm);
        end
    end
    spent_ns = double(tic() - started) * 1e3;
end

function partner(comm, item, payload, count)
    MPI_Send(0, 8, comm, 0);
    if strcmp(item.kernel, 'pingpong')
        for k = 1:count
            MPI_Recv(0, 1, comm);
            MPI_Send(0, 1, comm, payload);
        end
    else
        for k = 1:count
            for message = 1:64
                MPI_Recv(0, 1, comm);
            end
            MPI_Send(0, 2, comm, 0);
        end
    end
end
