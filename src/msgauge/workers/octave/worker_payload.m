function payload = worker_payload(bytes)
    % A message of so many bytes: doubles where that is a whole number of them (as programs send), else bytes.

    if mod(bytes, 8) == 0
        payload = sin(1:bytes / 8);
    else
        payload = uint8(mod(1:bytes, 251));
    end
end
