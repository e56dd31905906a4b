function LAM_Init(varargin)
    % LAM_Init  -  as MPI-TB had it: what OMPI_Init does. There is no LAM to boot.
    %
    % Example: LAM_Init(2); Octave_Spawn;

    OMPI_Init(varargin{:});
end
