function info = MPI_Info_delete(varargin)
    % MPI_Info_delete  -  as MPI-TB had it: info = MPI_Info_delete(...).

    info = mpitb_call('MPI_Info_delete', 0, varargin{:});
end
