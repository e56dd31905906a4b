function info = MPI_Bsend(varargin)
    % MPI_Bsend  -  as MPI-TB had it: info = MPI_Bsend(...).

    info = mpitb_call('MPI_Bsend', 0, varargin{:});
end
