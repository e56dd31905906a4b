function [info, flag, stat] = MPI_Iprobe(src, tag, comm)
    % MPI_Iprobe  -  as MPI-TB had it: [info, flag, stat] = MPI_Iprobe(src, tag, comm).

    [info, flag, stat] = mpitb_call('MPI_Iprobe', 2, src, tag, comm);
    stat = mpitb_probed(stat);
end
