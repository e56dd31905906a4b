function [done, varargout] = MPI_Test(request)
    % MPI_Test  -  Is a request complete? When it is, the values of its message as MPI_Wait gives them; does not wait.
    %
    %   [done, v1, v2, ...] = MPI_Test(request)
    %   done = MPI_Test(request)                     leaves the message for MPI_Wait
    %
    % Errors: MPI:badRequest, MPI:peerLost (the rank asked for has failed), MPI:aborted.

    [done, values] = complete_request(request, false, nargout < 2);
    varargout = cell(1, max(0, nargout - 1));
    if done
        varargout = check_outputs(values, nargout - 1);
    end
end
