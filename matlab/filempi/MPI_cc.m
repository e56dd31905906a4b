function runcommand = MPI_cc(varargin)
    % MPI_cc  -  Compile a program of the toolbox for MATLAB with mcc. Octave programs are not compiled: the error says so.
    %
    % Errors: MPI:noCompiler.

    if exist('OCTAVE_VERSION', 'builtin') ~= 0
        error('MPI:noCompiler', ['Octave has no compiler for scripts, and none is needed: leave MPI_cc out and run the ', ...
                                 'script itself, eval(MPI_Run(''program'', 4, {})).']);
    end
    mcc('-m', varargin{:}, '-a', fileparts(mfilename('fullpath')));
    runcommand = varargin{1};
end
