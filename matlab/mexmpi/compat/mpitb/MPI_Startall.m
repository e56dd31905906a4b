function info = MPI_Startall(varargin)
    % MPI_Startall  -  as MPI-TB had it: info = MPI_Startall(varargin).

    info = mpitb_call('MPI_Startall', 0, mpitb_list(varargin));
end
