function [info, idxs, stats, values] = MPI_Waitsome(varargin)
    % MPI_Waitsome  -  as MPI-TB had it: [info, idxs, stats, values] = MPI_Waitsome(varargin).

    [info, idxs, values, stats] = mpitb_call('MPI_Waitsome', 3, mpitb_list(varargin));
    landed = mpitb_landed(mpitb_list(varargin), idxs, values);
    mpitb_land('MPI_Waitsome', nargout < 4);
    idxs = idxs - 1;
end
