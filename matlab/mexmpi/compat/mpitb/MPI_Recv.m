function [info, stat, buf] = MPI_Recv(buf, src, tag, comm)
    % MPI_Recv  -  as MPI-TB had it: [info, stat, buf] = MPI_Recv(buf, src, tag, comm).

    [info, buf_, stat] = mpitb_call('MPI_Recv', 2, src, tag, comm);
    name = mpitb_named(1, nargin, nargout < 3);
    if ~isempty(name)
        assignin('caller', name, mpitb_write(buf, buf_));
    end
    buf = mpitb_fit(buf, buf_);
end
