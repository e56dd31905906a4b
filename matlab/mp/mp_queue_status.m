function [source, tag] = mp_queue_status()
    % Sender and tag of the message that was received last.

    source = 0;
    [~, tag] = mp_queue('last');
end
