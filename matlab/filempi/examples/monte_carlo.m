% Pi by Monte Carlo: tasks of a bag, each with a seed of its own, so the result does not depend on the number of ranks.
%
%   eval(MPI_Run('monte_carlo', 4, {}))
%
% With FILEMPI_PICTURE set to a file name, the points are drawn there (PNG): dark inside the circle, grey outside.

MPI_Init;
comm = MPI_COMM_WORLD;
seeds = num2cell(1:16);
hits = MPI_Map(@(seed) example_hits(seed, 4000), seeds, comm);
if MPI_Comm_rank(comm) == 0
    inside = sum([hits{:}]);
    fprintf('pi is about %.6f\n', 4 * inside / (16 * 4000));
    example_picture(example_points(16, 4000));
end
MPI_Finalize;
