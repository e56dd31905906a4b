function wait = publish_wait(wait, source, tag, comm)
    % Tell the other ranks, in the file wait.RANK, that this one is in a blocking wait, for whom, and what it has sent and
    % taken in; they look for ranks that wait for each other (check_deadlock). The file goes before the wait returns, and
    % its first number is that of the wait: while it stands unchanged, the rank has not gone on.
    %
    % Lines: wait, source (-1: any), channel; messages taken in on that channel, by rank; then for each channel its number
    % and the messages sent on it, by rank; then words. A channel's number is the same on all ranks.

    global FILEMPI
    if FILEMPI.classic
        return
    end
    awaited = -1;
    if ~ischar(source)
        awaited = source;
    end
    channels = floor(comm.base / FILEMPI.size);
    rows = sprintf('%d %d %d\n%s\n', wait.serial, awaited, channel_number(channels), ...
                   sprintf('%d ', FILEMPI.received(comm.base + (1:FILEMPI.size))));
    for channel = 0:numel(FILEMPI.sent) / FILEMPI.size - 1
        rows = sprintf('%s%d %s\n', rows, channel_number(channel), ...
                       sprintf('%d ', FILEMPI.sent(channel * FILEMPI.size + (1:FILEMPI.size))));
    end
    text = sprintf('%s%s', rows, wait_text(wait, source, tag));
    if strcmp(text, wait.text)
        return
    end
    name = sprintf('%s/wait.%d', FILEMPI.folder, FILEMPI.rank);
    try
        write_text(name, text);
    catch
        return % a full disk, or the job has ended: others find no cycle then
    end
    wait.text = text;
    if isempty(wait.published)
        wait.published = onCleanup(@() delete_file(name));
    end
end

function number = channel_number(channel)
    global FILEMPI
    number = 0;
    if channel > 0
        folder = double(FILEMPI.channels{channel});
        number = mod(sum(folder .* (1:numel(folder)).^2), 2^52) + 1;
    end
end
