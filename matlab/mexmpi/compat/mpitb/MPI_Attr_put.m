function info = MPI_Attr_put(varargin)
    % MPI_Attr_put  -  as MPI-TB had it: info = MPI_Attr_put(...).

    info = mpitb_call('MPI_Comm_set_attr', 0, varargin{:});
end
