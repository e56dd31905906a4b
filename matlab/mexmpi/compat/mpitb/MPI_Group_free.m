function info = MPI_Group_free(varargin)
    % MPI_Group_free  -  as MPI-TB had it: info = MPI_Group_free(...).

    info = mpitb_call('MPI_Group_free', 0, varargin{:});
end
