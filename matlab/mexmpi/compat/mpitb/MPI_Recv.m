function [info, stat, buf] = MPI_Recv(buf, src, tag, comm)
    % MPI_Recv  -  as MPI-TB had it: [info, stat, buf] = MPI_Recv(buf, src, tag, comm).

    [info, buf_, stat] = mpitb_call('MPI_Recv', 2, src, tag, comm);
    if nargout < 3 && isvarname(inputname(1))
        assignin('caller', inputname(1), mpitb_write(buf, buf_));
    end
    buf = mpitb_fit(buf, buf_);
end
