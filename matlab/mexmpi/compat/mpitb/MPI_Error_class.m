function [info, class] = MPI_Error_class(varargin)
    % MPI_Error_class  -  as MPI-TB had it: [info, class] = MPI_Error_class(...).

    [info, class] = mpitb_call('MPI_Error_class', 1, varargin{:});
end
