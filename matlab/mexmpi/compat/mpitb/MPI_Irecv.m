function [info, req] = MPI_Irecv(buf, src, tag, comm)
    % MPI_Irecv  -  as MPI-TB had it: [info, req] = MPI_Irecv(buf, src, tag, comm).

    [info, req] = mpitb_call('MPI_Irecv', 1, src, tag, comm);
    name = mpitb_named(1, nargin, true);
    landing = mpitb_landing(req, name, ~isempty(name) && evalin('caller', sprintf('isglobal(''%s'')', name)));
    if ~isempty(landing.mark)
        assignin('caller', landing.mark, true);
    end
end
