function base = channel_offset(link)
    % The first link's number, less one, of the channel that a link belongs to.

    global FILEMPI
    base = floor((link - 1) / FILEMPI.size) * FILEMPI.size;
end
