function [info, flag] = MPI_Comm_test_inter(varargin)
    % MPI_Comm_test_inter  -  as MPI-TB had it: [info, flag] = MPI_Comm_test_inter(...).

    [info, flag] = mpitb_call('MPI_Comm_test_inter', 1, varargin{:});
end
