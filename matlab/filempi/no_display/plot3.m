function varargout = plot3(varargin)
    % plot3  -  In the place of Octave's where there is no display: kept, for MatMPI_Show_figure (record_drawing).

    varargout = record_drawing('plot3', 'picture', varargin, nargout);
end
