function [info, eh] = MPI_Errhandler_create(fcn)
    % MPI_Errhandler_create  -  as MPI-TB had it: [info, eh] = MPI_Errhandler_create(fcn).

    [info, eh] = mpitb_call('MPI_Comm_create_errhandler', 1, fcn);
end
