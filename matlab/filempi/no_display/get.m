function varargout = get(varargin)
    % get  -  In the place of Octave's where there is no display: kept, for MatMPI_Show_figure (record_drawing).

    varargout = record_drawing('get', 'state', varargin, nargout);
end
