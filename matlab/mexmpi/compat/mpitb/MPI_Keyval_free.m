function info = MPI_Keyval_free(varargin)
    % MPI_Keyval_free  -  as MPI-TB had it: info = MPI_Keyval_free(...).

    info = mpitb_call('MPI_Comm_free_keyval', 0, varargin{:});
end
