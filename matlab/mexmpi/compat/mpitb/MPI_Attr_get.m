function [info, x, flag] = MPI_Attr_get(varargin)
    % MPI_Attr_get  -  as MPI-TB had it: [info, x, flag] = MPI_Attr_get(...).

    [info, x, flag] = mpitb_call('MPI_Comm_get_attr', 2, varargin{:});
end
