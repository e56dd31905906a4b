function [info, idxs, stats, values] = MPI_Testsome(varargin)
    % MPI_Testsome  -  as MPI-TB had it: [info, idxs, stats, values] = MPI_Testsome(varargin).

    [info, idxs, values, stats] = mpitb_call('MPI_Testsome', 3, mpitb_list(varargin));
    landed = mpitb_landed(mpitb_list(varargin), idxs, values);
    mpitb_land('MPI_Testsome', nargout < 4);
    idxs = idxs - 1;
end
