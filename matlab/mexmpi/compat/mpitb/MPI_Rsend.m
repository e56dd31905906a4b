function info = MPI_Rsend(varargin)
    % MPI_Rsend  -  as MPI-TB had it: info = MPI_Rsend(...).

    info = mpitb_call('MPI_Rsend', 0, varargin{:});
end
