% What an MPI's launcher starts for msgauge on every rank: reads its arguments, then runs octave_worker over mexmpi.
%
%   octave-cli -qfW --no-gui start_mexmpi.m --build FOLDER (--hello | --plan FILE --samples FILE)

worker_arguments = argv();
worker_names = {'build', 'plan', 'samples'};
for worker_k = 1:numel(worker_names)
    worker_argument_index = find(strcmp(worker_arguments, ['--', worker_names{worker_k}]), 1);
    if ~isempty(worker_argument_index)
        setenv(['MSGAUGE_', upper(worker_names{worker_k})], worker_arguments{worker_argument_index + 1});
    end
end
setenv('MSGAUGE_HELLO', num2str(any(strcmp(worker_arguments, '--hello'))));
sigterm_dumps_octave_core(false); % a worker that is ended with its launch leaves no octave-workspace
sighup_dumps_octave_core(false);
crash_dumps_octave_core(false);
warning('off', 'Octave:shadowed-function'); % this folder's functions have the names of the toolbox's
addpath(getenv('MSGAUGE_BUILD'));
addpath(fileparts(mfilename('fullpath')));
addpath(fullfile(fileparts(mfilename('fullpath')), 'over_mexmpi'));
try
    octave_worker;
catch worker_problem
    fprintf(2, '%s: %s\n', 'msgauge: a rank has failed', worker_problem.message);
    worker_state = mexmpi_call('mexmpi_state');
    if worker_state.initialized && ~worker_state.finalized
        mexmpi_call('MPI_Abort', 1);
    end
    exit(1);
end
