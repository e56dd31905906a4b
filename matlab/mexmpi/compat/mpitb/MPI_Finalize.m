function info = MPI_Finalize(varargin)
    % MPI_Finalize  -  as MPI-TB had it: info = MPI_Finalize(...).

    info = mpitb_call('MPI_Finalize', 0, varargin{:});
end
