function octave_mpi_register()
    % octave_mpi_register  -  Let "pkg load mpi" and "pkg load openmpi_ext" find this folder; addpath of it does so (PKG_ADD).

    if exist('mexmpi_package', 'file')  % not where matlab/mexmpi is not on the path
        mexmpi_package(fileparts(mfilename('fullpath')), 'mpi', 'openmpi_ext');
    end
end
