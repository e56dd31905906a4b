function varargout = text(varargin)
    % text  -  In the place of Octave's where there is no display: kept, for MatMPI_Show_figure (record_drawing).

    varargout = record_drawing('text', 'addition', varargin, nargout);
end
