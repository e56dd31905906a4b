function MPITB_Init(varargin)
    % MPITB_Init  -  as MPI-TB had it: MPITB_Init([nslaves [, hosts [, otherinfo]]]), what OMPI_Init does.
    %
    % Example: MPITB_Init(2); Octave_Spawn;

    OMPI_Init(varargin{1:min(end, 2)});
end
