function [info, idx, flag, stat, value] = MPI_Testany(varargin)
    % MPI_Testany  -  as MPI-TB had it: [info, idx, flag, stat, value] = MPI_Testany(varargin).

    [info, flag, idx, value, stat] = mpitb_call('MPI_Testany', 4, mpitb_list(varargin));
    landed = mpitb_landed(mpitb_list(varargin), idx, {value});
    mpitb_land('MPI_Testany', nargout < 5);
    idx = idx - 1;
end
