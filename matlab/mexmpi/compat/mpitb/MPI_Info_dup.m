function [info, newinfo] = MPI_Info_dup(varargin)
    % MPI_Info_dup  -  as MPI-TB had it: [info, newinfo] = MPI_Info_dup(...).

    [info, newinfo] = mpitb_call('MPI_Info_dup', 1, varargin{:});
end
