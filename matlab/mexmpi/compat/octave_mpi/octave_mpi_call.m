function [info, varargout] = octave_mpi_call(name, varargin)
    % Call a function of mexmpi; its error becomes a return code, as the package mpi gave it, the other outputs are empty.

    info = 0;
    varargout = cell(1, nargout - 1);
    try
        [varargout{:}] = mexmpi_call(name, varargin{:});
    catch problem
        if ~strncmp(problem.identifier, 'mpi:ERR_', 8)
            rethrow(problem);
        end
        info = mexmpi_call('MPI_ERR_OTHER');
    end
    for k = 1:numel(varargout)
        value = varargout{k};
        if isstruct(value) && isfield(value, 'cancelled') && isfield(value, 'source')
            varargout{k} = struct('MPI_SOURCE', value.source, 'MPI_TAG', value.tag, 'MPI_ERROR', value.error, ...
                                  'MPI_Get_count', value.bytes, 'cancelled', value.cancelled);
        end
    end
end
