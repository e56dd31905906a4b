function info = MPI_Info_free(varargin)
    % MPI_Info_free  -  as MPI-TB had it: info = MPI_Info_free(...).

    info = mpitb_call('MPI_Info_free', 0, varargin{:});
end
