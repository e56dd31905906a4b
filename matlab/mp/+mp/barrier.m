function barrier()
    % mp.barrier  -  Wait until all ranks have come.

    mp_transport().barrier();
end
