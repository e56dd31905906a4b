function MPI_cc(varargin)
    % MPI_cc  -  Compile a program of the toolbox for MATLAB with mcc; Octave programs are not compiled.

    if exist('OCTAVE_VERSION', 'builtin') ~= 0
        error('MPI:noCompiler', 'Octave has no compiler for scripts, and none is needed: use MPI_Run.');
    end
    mcc('-m', varargin{:}, '-a', fileparts(mfilename('fullpath')));
end
