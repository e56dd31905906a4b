function info = MPI_Attr_delete(varargin)
    % MPI_Attr_delete  -  as MPI-TB had it: info = MPI_Attr_delete(...).

    info = mpitb_call('MPI_Comm_delete_attr', 0, varargin{:});
end
