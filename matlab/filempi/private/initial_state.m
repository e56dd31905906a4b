function state = initial_state(job, rank)
    % The state of this interpreter as one rank of a job; FILEMPI holds it. Arrays sent ... insegment have one element per
    % link, a link being one rank of one communicator; keys and messages hold what arrived and was not yet asked for.

    persistent serial
    if isempty(serial)
        serial = 0;
    end
    serial = serial + 1;
    settings = job.settings;
    state = struct('rank', rank, 'size', job.size, 'id', job.id, 'folder', '', 'cwd', job.cwd, ...
                   'folders', {job.folders}, 'host', job.host, 'channels', {{}}, 'finalized', false, ...
                   'streams', job.streams);
    state.classic = strncmp(settings.transport, 'classic', 7);
    state.classic_pause_s = 0.01 * ~strcmp(settings.transport, 'classic-spin');
    state.classic_binary = strcmp(settings.transport, 'classic-binary');
    state.key = serial * 1048576 + 1;
    state.octave = exist('OCTAVE_VERSION', 'builtin') ~= 0;
    state.stats = state.octave && ~job.lists;
    state.spin_s = settings.spin_s * (job.size <= job.cores);
    state.spins = 200 * (state.spin_s > 0);
    state.finalize_exits = isfield(settings, 'finalize_exits') && settings.finalize_exits;
    state.deadline_s = settings.deadline_s;
    state.repair_s = min(settings.repair_s, settings.deadline_s);
    state.inline_words = floor(settings.inline_bytes / 8);
    state.piece_bytes = settings.piece_bytes;
    state.segment_bytes = settings.segment_bytes;
    names = {'sent', 'received', 'written', 'checked', 'position', 'writer', 'reader', 'segment', 'insegment'};
    for k = 1:numel(names)
        state.(names{k}) = [];
    end
    state.outbox = {};
    state.inbox = {};
    state.kept = 0;
    state.requests = 0;
    state.maps = 0;
    state.waits = 0;
    state.notice_s = Inf;
    if isfield(settings, 'notice_s')
        state.notice_s = settings.notice_s;
    end
    state.hosts = job.hosts;
    state.comm = comm_fields(job, rank);
    state.tags = {};
    state.saved = struct('key', {}, 'values', {});
    state.keys = zeros(0, 4);
    state.messages = {};
    state.posted = zeros(0, 4);
    state.last = [-1, 0, 0];
end
