% What msgauge starts: reads its arguments, then runs octave_worker on all ranks through MPI_Run.
%
%   octave-cli -qfW --no-gui start_worker.m --toolbox FOLDER --ranks N (--hello | --plan FILE --samples FILE)
%              [--machines HOST,... --agent RSH]
%
% With machines, the host of each rank, the present folder must be one that they share; the first of them is this one.

worker_arguments = argv();
worker_names = {'toolbox', 'ranks', 'plan', 'samples', 'machines', 'agent'};
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
worker_program = 'octave_worker';
worker_machines = {};
if ~isempty(getenv('MSGAUGE_MACHINES'))
    setenv('FILEMPI_REMOTE', getenv('MSGAUGE_AGENT'));
    worker_machines = strsplit(getenv('MSGAUGE_MACHINES'), ',');
    worker_variables = {'MSGAUGE_HELLO', 'MSGAUGE_PLAN', 'MSGAUGE_SAMPLES', 'FILEMPI_TRANSPORT'};
    worker_program = worker_program_for_hosts(worker_variables, worker_program);
end
eval(MPI_Run(worker_program, str2double(getenv('MSGAUGE_RANKS')), worker_machines));
