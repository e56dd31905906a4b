% Broadcast of a table from rank 0 to all: every rank gets it and reports a checksum.
%
%   broadcast                                        serially
%   eval(MPI_Run('broadcast', 4, {}))               on filempi
%   mexmpi_launch('broadcast.m', 4)                 on mexmpi

mp.init();
my_rank = mp.rank();
[table, title_text] = mp.bcast(0, magic(300), 'magic square');
sums = mp.gather(0, sum(table(:)));
if my_rank == 0
    assert(all([sums{:}] == sums{1}));
    fprintf('%s: %d ranks agree on the sum %d\n', title_text, numel(sums), sums{1});
end
mp.finalize();
