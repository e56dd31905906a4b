function [info, stat, buf] = MPI_Sendrecv_replace(buf, dest, stag, src, rtag, comm)
    % MPI_Sendrecv_replace  -  as MPI-TB had it: [info, stat, buf] = MPI_Sendrecv_replace(buf, dest, stag, src, rtag, comm).

    [info, buf_, stat] = mpitb_call('MPI_Sendrecv_replace', 2, buf, dest, stag, src, rtag, comm);
    if nargout < 3 && isvarname(inputname(1))
        assignin('caller', inputname(1), mpitb_write(buf, buf_));
    end
    buf = mpitb_fit(buf, buf_);
end
