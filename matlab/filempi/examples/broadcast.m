% Broadcast of a table from rank 0 to all: every rank gets it and reports a checksum.
%
%   eval(MPI_Run('broadcast', 4, {}))

MPI_Init;
comm = MPI_COMM_WORLD;
my_rank = MPI_Comm_rank(comm);
[table, title_text] = MPI_Bcast(0, 1, comm, magic(300), 'magic square');
sums = MPI_Gather(0, 2, comm, sum(table(:)));
if my_rank == 0
    assert(all([sums{:}] == sums{1}));
    fprintf('%s: %d ranks agree on the sum %d\n', title_text, numel(sums), sums{1});
end
MPI_Finalize;
