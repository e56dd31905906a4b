function info = MPI_Cancel(varargin)
    % MPI_Cancel  -  as MPI-TB had it: info = MPI_Cancel(...).

    info = mpitb_call('MPI_Cancel', 0, varargin{:});
end
