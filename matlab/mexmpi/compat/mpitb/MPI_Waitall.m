function [info, stats, values] = MPI_Waitall(varargin)
    % MPI_Waitall  -  as MPI-TB had it: [info, stats, values] = MPI_Waitall(varargin).

    [info, values, stats] = mpitb_call('MPI_Waitall', 2, mpitb_list(varargin));
    landed = mpitb_landed(mpitb_list(varargin), 1:numel(values), values);
    mpitb_land('MPI_Waitall', nargout < 3);
end
