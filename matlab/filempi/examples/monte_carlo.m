% Pi by Monte Carlo: tasks of a bag, each with a seed of its own, so the result does not depend on the number of ranks.
%
%   eval(MPI_Run('monte_carlo', 4, {}))

MPI_Init;
comm = MPI_COMM_WORLD;
seeds = num2cell(1:16);
inside = MPI_Map(@(seed) example_hits(seed, 20000), seeds, comm);
if MPI_Comm_rank(comm) == 0
    fprintf('pi is about %.6f\n', 4 * sum([inside{:}]) / (16 * 20000));
end
MPI_Finalize;
