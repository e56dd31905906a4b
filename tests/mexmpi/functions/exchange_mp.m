function m = exchange_mp()
    % The operations of mp as they are, its broadcast by MPI's among them.

    m = mp_transport();
end
