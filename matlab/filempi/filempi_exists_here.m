function there = filempi_exists_here(name)
    % Is there a control file (exit, abort) of this name? Like filempi_exists, but never a target of injected faults.

    if filempi_lists()
        [folder, stem, ending] = fileparts(name);
        there = any(strcmp(filempi_list(folder), [stem, ending]));
    else
        there = filempi_size(name) >= 0;
    end
end
