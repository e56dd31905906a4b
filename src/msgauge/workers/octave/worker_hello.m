function text = worker_hello(comm)
    % The keys of series=hello: which rank of how many, on what.

    transport = getenv('FILEMPI_TRANSPORT');
    library = sprintf('msgauge filempi 1, %s, Octave %s', transport, version());
    text = sprintf('rank=%d size=%d host=%s pid=%d library=%s transport=%s', comm.rank, comm.size, gethostname(), ...
                   getpid(), strrep(strrep(library, ' ', '%20'), ',', '%2C'), transport);
end
