function mpi = MPITB_Detect_mpi()
    % MPITB_Detect_mpi  -  as MPI-TB had it: mpi = MPITB_Detect_mpi() is 'Open MPI', or '' for an MPI that MPI-TB did not know.
    %
    % Example: if strcmp(MPITB_Detect_mpi, 'Open MPI'), disp('Open MPI'), end

    mpi = '';
    if ~isempty(strfind(mexmpi_call('MPI_Get_library_version'), 'Open MPI'))
        mpi = 'Open MPI';
    end
end
