function [info, address] = MPI_Address(varargin)
    % MPI_Address  -  as MPI-TB had it: [info, address] = MPI_Address(...).

    [info, address] = mpitb_call('MPI_Get_address', 1, varargin{:});
end
