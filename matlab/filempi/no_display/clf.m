function varargout = clf(varargin)
    % clf  -  In the place of Octave's where there is no display: kept, for MatMPI_Show_figure (record_drawing).

    varargout = record_drawing('clf', 'state', varargin, nargout);
end
