function [info, kv] = MPI_Keyval_create(copy_fn, del_fn, extra_st)
    % MPI_Keyval_create  -  as MPI-TB had it: [info, kv] = MPI_Keyval_create(copy_fn, del_fn, extra_st).

    [info, kv] = mpitb_call('MPI_Comm_create_keyval', 1);
end
