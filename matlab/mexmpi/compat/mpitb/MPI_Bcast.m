function [info, var] = MPI_Bcast(var, root, comm)
    % MPI_Bcast  -  as MPI-TB had it: [info, var] = MPI_Bcast(var, root, comm).

    [info, var_] = mpitb_call('MPI_Bcast', 1, var, root, comm);
    name = mpitb_named(1, nargin, nargout < 2);
    if ~isempty(name)
        assignin('caller', name, mpitb_write(var, var_));
    end
    var = mpitb_fit(var, var_);
end
