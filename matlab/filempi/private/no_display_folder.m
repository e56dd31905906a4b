function folder = no_display_folder()
    % Where the functions stand that keep figures as files.

    folder = [fileparts(fileparts(mfilename('fullpath'))), '/no_display'];
end
