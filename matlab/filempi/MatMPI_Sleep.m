function MatMPI_Sleep()
    % MatMPI_Sleep  -  Pause for 10 ms, as programs do between two calls of MPI_Probe.

    pause(0.01);
end
