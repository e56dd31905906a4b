function [info, key] = MPI_Info_get_nthkey(varargin)
    % MPI_Info_get_nthkey  -  as MPI-TB had it: [info, key] = MPI_Info_get_nthkey(...).

    [info, key] = mpitb_call('MPI_Info_get_nthkey', 1, varargin{:});
end
