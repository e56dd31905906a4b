function [info, bytes] = MPI_Pack_size(var, comm)
    % MPI_Pack_size  -  as MPI-TB had it: [info, bytes] = MPI_Pack_size(var, comm), with the room for the variable's name.
    %
    % Example: [info, bytes] = MPI_Pack_size(x, MPI_COMM_WORLD); buf = blanks(bytes);

    [info, bytes] = mpitb_call('MPI_Pack_size', 1, {mpitb_named(1, nargin, true), var}, comm);
end
