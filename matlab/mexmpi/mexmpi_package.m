function mexmpi_package(folder, varargin)
    % mexmpi_package  -  Let "pkg load NAME" find a folder in this session: mexmpi_package(folder, 'name', ...).
    %
    % The folders of compat call it when they are put on the path (PKG_ADD), so programs keep their line pkg load mpi.
    %
    % pkg is told of a list of packages that holds what its own list does, and the folder under these names. It stands beside
    % the builds (mexmpi_builds); the user's lists are read, never written. Of the two that pkg reads, that one is replaced
    % which pkg install does not write: the user's own for root, else that of all users. An installed package of the name
    % stays what is loaded.
    %
    % Example: mexmpi_package('matlab/mexmpi/compat/octave_mpi', 'mpi'); pkg load mpi

    replaced = 'global';
    if geteuid() == 0
        replaced = 'local';
    end
    own = listed('local');
    of_all = listed('global');
    packages = of_all;
    if strcmp(replaced, 'local')
        packages = own;
    end
    known = cellfun(@(package) package.name, [own, of_all], 'UniformOutput', false);
    missing = setdiff(varargin, known);
    if isempty(missing)
        return
    end
    for name = missing
        packages{end + 1} = stand_in(folder, name{1});
    end
    try
        pkg([replaced, '_list'], saved(folder, replaced, packages));
    catch problem
        warning('mpi:noPackage', '"pkg load %s" will not find %s (%s). Leave out that line, or set MEXMPI_BUILDS to a folder %s', ...
                varargin{1}, folder, problem.message, 'that can be written.');
    end
end

function packages = listed(which_one)
    packages = {};
    file = pkg([which_one, '_list']);
    if exist(file, 'file')
        packages = load(file).([which_one, '_packages']);
    end
end

function package = stand_in(folder, name)
    package = struct('name', name, 'version', '3.1.0', 'date', '2019-03-07', 'author', 'mexmpi', 'maintainer', 'mexmpi', ...
                     'title', [name, ' over mexmpi'], 'description', 'A folder of mexmpi that stands for this package.', ...
                     'depends', {{}}, 'autoload', 0, 'dir', folder, 'archprefix', folder);
end

function file = saved(folder, replaced, packages)
    % Under another name first: ranks that start at once read a whole list.
    [~, name] = fileparts(folder);
    file = fullfile(mexmpi_builds(), ['packages_', replaced, '_', name]);
    if ~exist(mexmpi_builds(), 'dir')
        mkdir(mexmpi_builds());
    end
    content.([replaced, '_packages']) = packages;
    written = sprintf('%s.%d', file, getpid());
    save('-text', written, '-struct', 'content');
    [failed, message] = rename(written, file);
    if failed
        error('mpi:noPackage', '%s', message);
    end
end
