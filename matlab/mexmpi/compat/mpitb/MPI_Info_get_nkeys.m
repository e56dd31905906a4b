function [info, count] = MPI_Info_get_nkeys(varargin)
    % MPI_Info_get_nkeys  -  as MPI-TB had it: [info, count] = MPI_Info_get_nkeys(...).

    [info, count] = mpitb_call('MPI_Info_get_nkeys', 1, varargin{:});
end
