function [info, idx, stat, value] = MPI_Waitany(varargin)
    % MPI_Waitany  -  as MPI-TB had it: [info, idx, stat, value] = MPI_Waitany(varargin).

    [info, idx, value, stat] = mpitb_call('MPI_Waitany', 3, mpitb_list(varargin));
    landed = mpitb_landed(mpitb_list(varargin), idx, {value});
    mpitb_land('MPI_Waitany', nargout < 4);
    idx = idx - 1;
end
