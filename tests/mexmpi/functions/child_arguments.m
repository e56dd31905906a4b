function words = child_arguments(statement)
    % The arguments with which an example starts a further Octave process that joins by MPI.

    text = sprintf('addpath(''%s''); mexmpi_use(); MPI_Init(); %s MPI_Finalize();', getenv('TOOLBOX'), statement);
    words = {'-qfW', '--no-gui', '--eval', text};
end
