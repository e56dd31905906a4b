function [info, stat, buf] = MPI_Sendrecv_replace(buf, dest, stag, src, rtag, comm)
    % MPI_Sendrecv_replace  -  as MPI-TB had it: [info, stat, buf] = MPI_Sendrecv_replace(buf, dest, stag, src, rtag, comm).

    [info, buf_, stat] = mpitb_call('MPI_Sendrecv_replace', 2, buf, dest, stag, src, rtag, comm);
    name = mpitb_named(1, nargin, nargout < 3);
    if ~isempty(name)
        assignin('caller', name, mpitb_write(buf, buf_));
    end
    buf = mpitb_fit(buf, buf_);
end
