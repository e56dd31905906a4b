function text = worker_clock_identity()
    % Equal for ranks that read one clock: of one boot of one computer, in one time namespace.

    text = strtrim(worker_text('/proc/sys/kernel/random/boot_id'));
    if isempty(text)
        text = gethostname();
    end
    [namespace, failed] = readlink('/proc/self/ns/time');
    if failed == 0
        text = [text, namespace];
    end
end
