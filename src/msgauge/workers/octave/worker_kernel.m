function [kernel, reason] = worker_kernel(item, comm)
    % A kernel ready to run on this rank: a struct of kind ('batch', 'rounds', 'stamped'), series, events, run, verify and
    % combine; or why there is none. Each kernel is a file kernel_NAME.m; it refuses by the error msgauge:refused.

    kernel = struct();
    reason = '';
    name = ['kernel_', item.kernel];
    if ~isvarname(name) || exist(name, 'file') ~= 2
        reason = 'the Octave worker has no such kernel';
        return
    end
    try
        kernel = feval(name, item, comm);
    catch problem
        if ~strcmp(problem.identifier, 'msgauge:refused')
            rethrow(problem);
        end
        reason = problem.message;
    end
end
