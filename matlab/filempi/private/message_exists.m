function there = message_exists(name)
    % Primitive: is there a file of this name? On a local file system one stat; where negative look-ups are
    % cached (NFS), the folder is listed instead.

    persistent octave
    if isempty(octave)
        octave = exist('OCTAVE_VERSION', 'builtin') ~= 0;
    end
    if uses_listing()
        [folder, stem, ending] = fileparts(name);
        there = any(strcmp(list_folder(folder), [stem, ending]));
    elseif octave
        [~, failed] = stat(name);
        there = failed == 0;
    else
        there = exist(name, 'file') == 2;
    end
end
