function folder = mexmpi_builds()
    % mexmpi_builds  -  The folder in which the builds of mexmpi stand, one for each MPI.

    folder = getenv('MEXMPI_BUILDS');
    if ~isempty(folder)
        return
    end
    beside = fileparts(mfilename('fullpath'));
    folder = fullfile(beside, 'builds');
    [~, facts] = fileattrib(beside);
    if ~exist(folder, 'dir') && ~(isstruct(facts) && facts.UserWrite)
        folder = fullfile(getenv('HOME'), '.cache', 'mexmpi');
    end
end
