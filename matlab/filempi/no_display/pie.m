function varargout = pie(varargin)
    % pie  -  In the place of Octave's where there is no display: kept, for MatMPI_Show_figure (record_drawing).

    varargout = record_drawing('pie', 'picture', varargin, nargout);
end
