function text = worker_place()
    % The keys of series=rank: where this rank may run and where it runs now.

    status = filempi_text('/proc/self/status');
    cpus = regexp(status, 'Cpus_allowed_list:\s*(\S+)', 'tokens', 'once');
    facts = filempi_text('/proc/self/stat');
    parts = strsplit(facts(find(facts == ')', 1, 'last') + 2:end), ' ');
    text = sprintf('cpus=%s cpu=%s', cpus{1}, parts{37});
end
