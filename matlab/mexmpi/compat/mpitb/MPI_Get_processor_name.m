function [info, name] = MPI_Get_processor_name(varargin)
    % MPI_Get_processor_name  -  as MPI-TB had it: [info, name] = MPI_Get_processor_name(...).

    [info, name] = mpitb_call('MPI_Get_processor_name', 1, varargin{:});
end
