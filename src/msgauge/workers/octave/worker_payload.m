function payload = worker_payload(bytes, rank)
    % A message of so many bytes, different for each rank: doubles where that is a whole number of them (as programs send),
    % else bytes.

    if mod(bytes, 8) == 0
        payload = sin((1:bytes / 8) + rank);
    else
        payload = uint8(mod((1:bytes) + 7 * rank, 251));
    end
end
