function folder = absolute_path(folder)
    % The one name of a folder that does not depend on where one is, whatever links lead to it.

    if exist('OCTAVE_VERSION', 'builtin') ~= 0
        folder = canonicalize_file_name(folder);
    else
        back = cd(folder);
        folder = pwd();
        cd(back);
    end
end
