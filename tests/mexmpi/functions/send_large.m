% One message of LARGE_BYTES in each way that values go: by value, into a variable, as a broadcast. Every element is compared.

large_count = str2double(getenv('LARGE_BYTES')) / 8;
MPI_Init();
large_rank = MPI_Comm_rank();
if large_rank == 0
    large_x = zeros(1, large_count);
    large_x(:) = 1:large_count;
    MPI_Send(large_x, 1, 1);
    MPI_Send(large_x, 1, 2);
    MPI_Bcast(large_x, 0);
    MPI_Bcast_into('large_x', 0);
else
    large_x = MPI_Recv(0, 1);
    check_counted(large_x, large_count, 'Recv');
    large_x(:) = 0;
    MPI_Recv_into('large_x', 0, 2);
    check_counted(large_x, large_count, 'Recv_into');
    large_x = [];
    large_x = MPI_Bcast([], 0);
    check_counted(large_x, large_count, 'Bcast');
    large_x(:) = 0;
    MPI_Bcast_into('large_x', 0);
    check_counted(large_x, large_count, 'Bcast_into');
end
MPI_Barrier();
large_x(:) = large_rank;
large_x = MPI_Allreduce(large_x);
assert(numel(large_x) == large_count && all(large_x == 1));
printf('as sent by Allreduce\n');
MPI_Finalize();
