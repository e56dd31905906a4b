function [ranks, tags] = mp_queue_probe(source, tag)
    % Messages that wait.

    [~, tags] = mp_queue('probe', source, tag);
    ranks = zeros(size(tags));
end
