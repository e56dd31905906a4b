function parent = jobs_root(settings, local)
    % The folder in which job folders are made: the one that was set; memory when all ranks are on this machine;
    % else the working folder, which all hosts share.

    parent = settings.folder;
    if ~isempty(parent)
        if exist(parent, 'dir') ~= 7
            error('MPI:badSetting', 'There is no folder %s (FILEMPI_DIR).', parent);
        end
        if parent(1) ~= '/'
            parent = [pwd(), '/', parent];
        end
        return
    end
    parent = pwd();
    if ~local
        return
    end
    choices = {'/dev/shm', getenv('XDG_RUNTIME_DIR'), tempdir()};
    for k = 1:numel(choices)
        if ~isempty(choices{k}) && exist(choices{k}, 'dir') == 7
            parent = regexprep(choices{k}, '/+$', '');
            return
        end
    end
end
