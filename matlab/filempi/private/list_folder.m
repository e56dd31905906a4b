function names = list_folder(folder)
    % Primitive: the names in a folder as a cell column; empty when there is no such folder.

    if exist('OCTAVE_VERSION', 'builtin') ~= 0
        [names, failed] = readdir(folder);
        if failed ~= 0
            names = cell(0, 1);
        end
    else
        entries = dir(folder);
        names = reshape({entries.name}, [], 1);
    end
    names = names(~strcmp(names, '.') & ~strcmp(names, '..'));
end
