function [info, stat] = MPI_Probe(src, tag, comm)
    % MPI_Probe  -  as MPI-TB had it: [info, stat] = MPI_Probe(src, tag, comm); MPI_Get_elements tells the room to make.

    [info, stat] = mpitb_call('MPI_Probe', 1, src, tag, comm);
    stat = mpitb_probed(stat);
end
