function [info, ranks2] = MPI_Group_translate_ranks(varargin)
    % MPI_Group_translate_ranks  -  as MPI-TB had it: [info, ranks2] = MPI_Group_translate_ranks(...).

    [info, ranks2] = mpitb_call('MPI_Group_translate_ranks', 1, varargin{:});
end
