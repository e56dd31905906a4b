function [info, length, flag] = MPI_Info_get_valuelen(varargin)
    % MPI_Info_get_valuelen  -  as MPI-TB had it: [info, length, flag] = MPI_Info_get_valuelen(...).

    [info, length, flag] = mpitb_call('MPI_Info_get_valuelen', 2, varargin{:});
end
