% startup_mergeParent  -  as MPI-TB had it: a slave joins its parent, and WORLD, NEWORLD, RANK and HOSTNAME are there.
%
% Example: Octave_Spawn(1, {'--eval', 'startup_mergeParent; MPI_Send(RANK, 0, 1, NEWORLD)'});

global WORLD NEWORLD RANK HOSTNAME
mpitb_joined();
