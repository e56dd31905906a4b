function m = exchange_mexmpi()
    % The operations that the exchange cases use, on MPI by way of mp. (Serially and on files by MP_TRANSPORT.)

    m = mp_transport();
end
