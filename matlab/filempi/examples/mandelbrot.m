% The Mandelbrot set by blocks of columns, sent to rank 0 at the end (Wilkinson and Allen's farming in its simplest form).
%
%   eval(MPI_Run('mandelbrot', 4, {}))
%
% FILEMPI_SIZE: width and height in points (default 240; the published benchmark takes 4800).
% Columns are dealt round robin, so that every rank gets as much of the costly middle as the others.

MPI_Init;
comm = MPI_COMM_WORLD;
my_rank = MPI_Comm_rank(comm);
count = MPI_Comm_size(comm);
points = str2double(getenv('FILEMPI_SIZE'));
if isnan(points)
    points = 240;
end
MPI_Barrier(comm);
started = tic();
mine = my_rank + 1:count:points;
block = example_escape(linspace(-2, 0.6, points), linspace(-1.3, 1.3, points), mine, 64);
parts = MPI_Gather(0, 1, comm, block);
if my_rank == 0
    picture = zeros(points, 'uint8');
    for rank = 0:count - 1
        picture(:, rank + 1:count:points) = parts{rank + 1};
    end
    fprintf('mandelbrot %d x %d on %d ranks: %.3f s, sum %d\n', points, points, count, toc(started), ...
            sum(double(picture(:))));
    example_picture(1 - double(picture) / 64);
end
MPI_Finalize;
