function varargout = MPI_Add_error_string(varargin)
    % MPI_Add_error_string  -  Give an error code of one's own its text.
    %
    %   MPI_Add_error_string(code, text)
    %
    %   code: a whole number
    %   text: a text
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   code = MPI_Add_error_code(MPI_Add_error_class());
    %   MPI_Add_error_string(code, 'the soup is cold')
    %   assert(strcmp(MPI_Error_string(code), 'the soup is cold'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Add_error_string', varargin{:});
end
