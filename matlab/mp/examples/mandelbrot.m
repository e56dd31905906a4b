% The Mandelbrot set by blocks of columns, sent to rank 0 at the end (Wilkinson and Allen's farming in its simplest form).
%
%   mandelbrot                                        serially
%   eval(MPI_Run('mandelbrot', 4, {}))               on filempi
%   mexmpi_launch('mandelbrot.m', 4)                 on mexmpi
%
% MP_SIZE: width and height in points (default 240; the published benchmark takes 4800).
% Columns are dealt round robin, so that every rank gets as much of the costly middle as the others.

mp.init();
my_rank = mp.rank();
count = mp.size();
points = str2double(getenv('MP_SIZE'));
if isnan(points)
    points = 240;
end
mp.barrier();
started = tic();
mine = my_rank + 1:count:points;
block = example_escape(linspace(-2, 0.6, points), linspace(-1.3, 1.3, points), mine, 64);
parts = mp.gather(0, block);
if my_rank == 0
    picture = zeros(points, 'uint8');
    for rank = 0:count - 1
        picture(:, rank + 1:count:points) = parts{rank + 1};
    end
    fprintf('mandelbrot %d x %d on %d ranks: %.3f s, sum %d\n', points, points, count, toc(started), ...
            sum(double(picture(:))));
    example_picture(1 - double(picture) / 64);
end
mp.finalize();
