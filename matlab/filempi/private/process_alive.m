function living = process_alive(pid, start)
    % Is the process of this id (text) the one that started then?

    facts = read_text(sprintf('/proc/%d/stat', str2double(pid)));
    if ~isempty(facts)
        facts = facts(find(facts == ')', 1, 'last') + 2:end);
        parts = strsplit(facts, ' ');
        living = strcmp(parts{20}, start) && ~strcmp(parts{1}, 'Z');
        return
    end
    living = false;
    if exist('/proc/self', 'dir') ~= 7
        [~, found] = system(sprintf('ps -o lstart= -p %d', str2double(pid)));
        living = ~isempty(start) && strncmp(strtrim(found), start, numel(start));
    end
end
