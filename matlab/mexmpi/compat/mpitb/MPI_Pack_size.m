function [info, bytes] = MPI_Pack_size(varargin)
    % MPI_Pack_size  -  as MPI-TB had it: [info, bytes] = MPI_Pack_size(...).

    [info, bytes] = mpitb_call('MPI_Pack_size', 1, varargin{:});
end
