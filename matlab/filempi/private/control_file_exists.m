function there = control_file_exists(name)
    % Is there a control file (exit, abort) of this name? Like message_exists, but never a target of injected faults.

    if uses_listing()
        [folder, stem, ending] = fileparts(name);
        there = any(strcmp(list_folder(folder), [stem, ending]));
    else
        there = file_size(name) >= 0;
    end
end
