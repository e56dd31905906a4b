function res = MPI_Wtick()
    % MPI_Wtick  -  as MPI-TB had it.

    res = mexmpi_call('MPI_Wtick');
end
