% A picture smoothed by blocks of columns: each rank filters its block, with the border columns of its neighbours.
%
%   image_filter                                        serially
%   eval(MPI_Run('image_filter', 4, {}))               on filempi
%   mexmpi_launch('image_filter.m', 4)                 on mexmpi
%
% The result is the same on any number of ranks. With MP_PICTURE set to a file name, it is written there (PNG).

mp.init();
my_rank = mp.rank();
count = mp.size();
width = 240;
height = 180;
radius = 4;
edges = round(linspace(0, width, count + 1));
[x, y] = meshgrid(edges(my_rank + 1) + 1:edges(my_rank + 2), 1:height);
block = double(mod(floor(x / 20) + floor(y / 20), 2) == 0) + (hypot(x - 120, y - 90) < 50);
from_left = zeros(height, 0);
from_right = zeros(height, 0);
if my_rank > 0
    mp.send(my_rank - 1, 1, block(:, 1:radius));
end
if my_rank < count - 1
    mp.send(my_rank + 1, 2, block(:, end - radius + 1:end));
    from_right = mp.recv(my_rank + 1, 1);
end
if my_rank > 0
    from_left = mp.recv(my_rank - 1, 2);
end
kernel = ones(2 * radius + 1);
wide = [from_left, block, from_right];
smooth = conv2(wide, kernel, 'same') ./ conv2(ones(size(wide)), kernel, 'same');
smooth = smooth(:, size(from_left, 2) + (1:size(block, 2)));
parts = mp.gather(0, smooth);
if my_rank == 0
    picture = [parts{:}];
    fprintf('filtered %d x %d, sum %.6f\n', size(picture, 1), size(picture, 2), sum(picture(:)));
    example_picture(picture / 2);
end
mp.finalize();
