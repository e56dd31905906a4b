function comm = world_comm()
    % The value of MPI_COMM_WORLD. Raises MPI:badComm before MPI_Init.

    global FILEMPI
    if isempty(FILEMPI)
        error('MPI:badComm', 'There is no communicator yet: call MPI_Init first.');
    end
    comm = make_comm(0);
end
