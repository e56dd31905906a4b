function filempi_drop(name)
    % A file that was removed comes back.

    if ~fault_strikes('undead')
        [~, ~] = unlink(name);
    end
end
