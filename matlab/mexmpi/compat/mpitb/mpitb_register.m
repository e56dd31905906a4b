function mpitb_register()
    % mpitb_register  -  Let "pkg load mpitb" find this folder; addpath of it does so (PKG_ADD).

    if exist('mexmpi_package', 'file')  % not where matlab/mexmpi is not on the path
        mexmpi_package(fileparts(mfilename('fullpath')), 'mpitb');
    end
end
