function info = MPI_Buffer_attach(buf)
    % MPI_Buffer_attach  -  as MPI-TB had it: info = MPI_Buffer_attach(buf).

    info = mpitb_call('MPI_Buffer_attach', 0, numel(typecast(buf(:), 'uint8')));
end
