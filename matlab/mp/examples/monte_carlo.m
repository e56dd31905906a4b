% Pi by Monte Carlo: tasks of a bag, each with a seed of its own, so the result does not depend on the number of ranks.
%
%   monte_carlo                                        serially
%   eval(MPI_Run('monte_carlo', 4, {}))               on filempi
%   mexmpi_launch('monte_carlo.m', 4)                 on mexmpi
%
% With MP_PICTURE set to a file name, the points are drawn there (PNG): dark inside the circle, grey outside.

mp.init();
seeds = num2cell(1:16);
hits = mp.map(@(seed) example_hits(seed, 4000), seeds);
if mp.rank() == 0
    inside = sum([hits{:}]);
    fprintf('pi is about %.6f\n', 4 * inside / (16 * 4000));
    example_picture(example_points(16, 4000));
end
mp.finalize();
