function [info, varargout] = MPI_Unpack(buf, pos, varargin)
    % MPI_Unpack  -  as MPI-TB had it: [info, names] = MPI_Unpack(buf, pos, comm [, 'name', ...]).
    %
    % The variables that MPI_Pack has put behind the first pos bytes are written into the caller's workspace: all that there
    % are, under the names that they had, or as many as names are given, under those. names (output): those that they had,
    % one a row; info: a code for each; pos, where it is a variable, is set behind the last. What is no packed variable is
    % MPI_ERR_TRUNCATE, but for blanks or zeros at the end that hold none.
    %
    % info = MPI_Unpack(buf, pos, var, comm), of MPI-TB for MATLAB, writes one into the variable that is given;
    % [info, var, pos] = MPI_Unpack(buf, pos, var, comm) gives it out.
    %
    % Example: x = 1; [info, buf] = MPI_Pack(x, '', 0, MPI_COMM_WORLD); MPI_Unpack(buf, 0, MPI_COMM_WORLD, 'y'); assert(y == 1);

    into_variable = numel(varargin) == 2 && ~ischar(varargin{2});
    if into_variable
        comm = varargin{2};
        given = {mpitb_named(3, nargin, nargout < 2)};
    else
        comm = varargin{1};
        given = varargin(2:end);
    end
    position_name = mpitb_named(2, nargin, ~into_variable || nargout < 3);
    [info, names, values, pos] = mpitb_unpacked(mpitb_bytes(buf), pos, comm, numel(given));
    for k = 1:numel(values)
        name = names{k};
        if k <= numel(given)
            name = given{k};
        end
        if ~isempty(name) && into_variable
            assignin('caller', name, mpitb_write(varargin{1}, values{k}));
        elseif ~isempty(name)
            assignin('caller', name, values{k});
        elseif ~into_variable
            warning('mpi:notWritten', ['MPI_Unpack: a value was packed that was no variable, and is not written. Name it: ', ...
                                       'MPI_Unpack(buf, pos, comm, ''name'')']);
        end
    end
    if ~isempty(position_name)
        assignin('caller', position_name, pos);
    end
    varargout = {char(names{:})};
    if into_variable
        values{end + 1} = varargin{1};
        varargout = {mpitb_fit(varargin{1}, values{1}), pos};
    end
end
