function [pid, start] = process_identity()
    % This interpreter's process id, and when it started (as text), by which a reused id is told apart.

    if exist('OCTAVE_VERSION', 'builtin') ~= 0
        pid = getpid();
    else
        pid = feature('getpid');
    end
    start = '';
    facts = read_text(sprintf('/proc/%d/stat', pid));
    if isempty(facts)
        [~, start] = system(sprintf('ps -o lstart= -p %d', pid));
        start = strtrim(start);
        return
    end
    facts = facts(find(facts == ')', 1, 'last') + 2:end);
    parts = strsplit(facts, ' ');
    start = parts{20};
end
