function varargout = MPI_Wait(request)
    % MPI_Wait  -  Wait until a request is complete; for MPI_Irecv, the values of its message.
    %
    %   [v1, v2, ...] = MPI_Wait(request)

    [~, values] = complete_request(request, true, false);
    varargout = check_outputs(values, nargout);
end
