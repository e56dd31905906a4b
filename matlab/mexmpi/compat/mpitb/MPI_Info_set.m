function info = MPI_Info_set(varargin)
    % MPI_Info_set  -  as MPI-TB had it: info = MPI_Info_set(...).

    info = mpitb_call('MPI_Info_set', 0, varargin{:});
end
