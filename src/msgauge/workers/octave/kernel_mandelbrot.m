function kernel = kernel_mandelbrot(item, comm)
    % The Mandelbrot set in blocks of columns: nobody talks until every block is done, then all go to rank 0.
    % The same points, steps (at most 256) and blocks as the native kernel; points that have left are taken out.

    options = worker_options(item, {'side', {'480', '240', '1200', '2400', '4800'}});
    side = str2double(options.side);
    serial_ns = 0;
    expected = [];
    if comm.rank == 0
        [expected, serial_ns] = worker_reference(@() draw(0, side, side));
    end
    MPI_Barrier(comm);
    kernel = worker_self_timed(@(~) run(comm, side, serial_ns), @() verify(comm, side, expected), 'collect');
end

function [values, picture] = run(comm, side, serial_ns)
    used = cputime();
    started = tic();
    edges = floor(side * (0:comm.size) / comm.size);
    picture = draw(edges(comm.rank + 1), edges(comm.rank + 2), side);
    computed = tic();
    if comm.rank > 0
        MPI_Send(0, 1, comm, picture);
    else
        picture(:, end + 1:side) = 0;
        for rank = 1:comm.size - 1
            picture(:, edges(rank + 1) + 1:edges(rank + 2)) = MPI_Recv(rank, 1, comm);
        end
    end
    ended = tic();
    values = [double([ended - started, computed - started, ended - computed]) * 1e3, (cputime() - used) * 1e9, ...
              serial_ns, double(ended - computed) * 1e3];
end

function same = verify(comm, side, expected)
    [~, picture] = run(comm, side, 0);
    same = comm.rank ~= 0 || worker_equal(picture, expected);
end

function steps = draw(first, last, side)
    % Columns first to last - 1, a few thousand points at a time so that they stay in the cache.
    steps = zeros(side, last - first, 'uint16');
    width = max(1, floor(4096 / side));
    for low = first:width:last - 1
        columns = low:min(low + width, last) - 1;
        steps(:, columns - first + 1) = escape(columns, side);
    end
end

function steps = escape(columns, side)
    [real_parts, imaginary_parts] = meshgrid(-2.25 + 3 / side * columns, -1.5 + 3 / side * (0:side - 1));
    c = complex(real_parts(:), imaginary_parts(:));
    steps = repmat(uint16(256), side, numel(columns));
    inside = (1:numel(c)).';
    z = c;
    for step = 1:256
        gone = real(z).^2 + imag(z).^2 > 4;
        if any(gone)
            steps(inside(gone)) = step;
            inside = inside(~gone);
            z = z(~gone);
            c = c(~gone);
        end
        if isempty(inside)
            return
        end
        z = z .* z + c;
    end
end
