function varargout = MPI_File_delete(varargin)
    % MPI_File_delete  -  Delete a file.
    %
    %   MPI_File_delete(name [, info])
    %
    %   name: a text
    %   info: hints (default: MPI_INFO_NULL)
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   MPI_File_close(file)
    %   MPI_Barrier()
    %   if rank == 0
    %       MPI_File_delete(scratch)
    %       assert(~exist(scratch, 'file'))
    %   end
    %   MPI_Barrier()

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_delete', varargin{:});
end
