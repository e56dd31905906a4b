function [info, flag, stats, values] = MPI_Testall(varargin)
    % MPI_Testall  -  as MPI-TB had it: [info, flag, stats, values] = MPI_Testall(varargin).

    [info, flag, values, stats] = mpitb_call('MPI_Testall', 3, mpitb_list(varargin));
    landed = mpitb_landed(mpitb_list(varargin), 1:numel(values), values);
    mpitb_land('MPI_Testall', nargout < 4);
end
