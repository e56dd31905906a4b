function [info, var] = MPI_Bcast(var, root, comm)
    % MPI_Bcast  -  as MPI-TB had it: [info, var] = MPI_Bcast(var, root, comm).

    [info, var_] = mpitb_call('MPI_Bcast', 1, var, root, comm);
    if nargout < 2 && isvarname(inputname(1))
        assignin('caller', inputname(1), mpitb_write(var, var_));
    end
    var = mpitb_fit(var, var_);
end
