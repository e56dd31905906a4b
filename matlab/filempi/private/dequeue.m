function [values, source, tag] = dequeue(place, comm)
    % Take the message at a place among those kept back, and read it if it is still in its file.

    global FILEMPI
    key = FILEMPI.keys(place, :);
    message = FILEMPI.messages{place};
    source = key(1) - comm.base - 1;
    tag = key(2);
    values = message.values;
    if ~isempty(message.name)
        [values, header] = read_whole_message(message.name, message.sequence);
        values = consume_file(values, header, message.name);
    end
    FILEMPI.keys(place, :) = [];
    FILEMPI.messages(place) = [];
    FILEMPI.kept = FILEMPI.kept - 1;
    FILEMPI.last = [source, tag, numel(values)];
end
