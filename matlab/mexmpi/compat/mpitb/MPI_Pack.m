function [info, buf, pos] = MPI_Pack(var, buf, pos, comm)
    % MPI_Pack  -  as MPI-TB had it: [info, buf, pos] = MPI_Pack(var, buf, pos, comm).

    [info, buf] = mpitb_call('MPI_Pack', 1, var, buf(1:pos), comm);
    pos = numel(buf);
end
