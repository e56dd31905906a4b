function [info, info] = MPI_Info_create(varargin)
    % MPI_Info_create  -  as MPI-TB had it: [info, info] = MPI_Info_create(...).

    [info, info] = mpitb_call('MPI_Info_create', 1, varargin{:});
end
