function [info, var, pos] = MPI_Unpack(buf, pos, var, comm)
    % MPI_Unpack  -  as MPI-TB had it: [info, var, pos] = MPI_Unpack(buf, pos, var, comm).

    [info, var_, pos] = mpitb_call('MPI_Unpack', 2, buf, pos, comm);
    if nargout < 2 && isvarname(inputname(3))
        assignin('caller', inputname(3), mpitb_write(var, var_));
    end
    var = mpitb_fit(var, var_);
end
