function [info, varargout] = mpitb_call(name, count, varargin)
    % Call a function of mexmpi; its error becomes a return code (info), as MPI-TB gave it.

    info = 0;
    varargout = cell(1, max(count, nargout - 1));
    for k = 1:numel(varargin)
        varargin{k} = for_mexmpi(varargin{k});
    end
    try
        [varargout{1:count}] = mexmpi_call(name, varargin{:});
    catch problem
        if strncmp(problem.identifier, 'mpi:ERR_', 8)
            info = code_of(problem.identifier(5:end));
        else
            rethrow(problem);
        end
    end
    for k = 1:count
        varargout{k} = for_mpitb(varargout{k});
    end
end

function code = code_of(name)
    try
        code = mexmpi_call(['MPI_', name]);
    catch
        code = mexmpi_call('MPI_ERR_OTHER');
    end
end

function value = for_mpitb(value)
    if isstruct(value) && isfield(value, 'cancelled') && isfield(value, 'source')
        value = struct('src', {value.source}, 'tag', {value.tag}, 'err', {value.error}, 'len', {value.bytes}, ...
                       'can', {value.cancelled});
    end
end

function value = for_mexmpi(value)
    if isstruct(value) && isfield(value, 'can') && isfield(value, 'src')
        value = struct('source', {value.src}, 'tag', {value.tag}, 'error', {value.err}, 'count', {value.len}, ...
                       'bytes', {value.len}, 'cancelled', {value.can});
    end
end
