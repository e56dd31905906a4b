% What msgauge starts: reads its arguments, then runs octave_worker on all ranks through MPI_Run.
%
%   octave-cli -qfW --no-gui start_worker.m --toolbox FOLDER --ranks N (--hello | --plan FILE --samples FILE)

worker_arguments = argv();
worker_names = {'toolbox', 'ranks', 'plan', 'samples'};
for worker_k = 1:numel(worker_names)
    worker_argument_index = find(strcmp(worker_arguments, ['--', worker_names{worker_k}]), 1);
    if ~isempty(worker_argument_index)
        setenv(['MSGAUGE_', upper(worker_names{worker_k})], worker_arguments{worker_argument_index + 1});
    end
end
setenv('MSGAUGE_HELLO', num2str(any(strcmp(worker_arguments, '--hello'))));
addpath(getenv('MSGAUGE_TOOLBOX'));
addpath(fileparts(mfilename('fullpath')));
sigterm_dumps_octave_core(false); % a worker that is ended with its launch leaves no octave-workspace
sighup_dumps_octave_core(false);
crash_dumps_octave_core(false);
if isempty(getenv('FILEMPI_LOGS'))
    setenv('FILEMPI_LOGS', 'off'); % nothing is put into the user's working folder
end
eval(MPI_Run('octave_worker', str2double(getenv('MSGAUGE_RANKS')), {}));
