function [info, children, errs] = MPI_Comm_spawn_multiple(cprg, carg, cnprc, cinf, root, comm)
    % MPI_Comm_spawn_multiple  -  as MPI-TB had it: [info, children, errs] = MPI_Comm_spawn_multiple(cprg, carg, cnprc, cinf, root, comm).

    [info, children, errs] = mpitb_call('MPI_Comm_spawn_multiple', 2, cprg, carg, cnprc, root, comm);
end
