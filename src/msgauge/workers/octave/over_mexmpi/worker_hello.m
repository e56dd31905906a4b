function text = worker_hello(comm)
    % The keys of series=hello: which rank of how many, on what MPI.

    state = mexmpi_call('mexmpi_state');
    text = sprintf('rank=%d size=%d host=%s pid=%d library=%s transport=mex', comm.rank, comm.size, gethostname(), ...
                   getpid(), strrep(strrep(state.library, ' ', '%20'), ',', '%2C'));
end
