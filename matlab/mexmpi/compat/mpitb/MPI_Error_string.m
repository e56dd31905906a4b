function [info, text] = MPI_Error_string(varargin)
    % MPI_Error_string  -  as MPI-TB had it: [info, text] = MPI_Error_string(...).

    [info, text] = mpitb_call('MPI_Error_string', 1, varargin{:});
end
