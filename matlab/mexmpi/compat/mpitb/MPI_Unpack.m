function [info, var, pos] = MPI_Unpack(buf, pos, var, comm)
    % MPI_Unpack  -  as MPI-TB had it: [info, var, pos] = MPI_Unpack(buf, pos, var, comm).

    [info, var_, pos] = mpitb_call('MPI_Unpack', 2, buf, pos, comm);
    name = mpitb_named(3, nargin, nargout < 2);
    if ~isempty(name)
        assignin('caller', name, mpitb_write(var, var_));
    end
    var = mpitb_fit(var, var_);
end
