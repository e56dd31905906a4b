function strikes = fault_strikes(kind)
    % Does the fault of this kind strike now? FAULT names the kind, FAULT_EVERY how many calls lie between two strikes
    % (1: always). Counted per process, so every run is the same. Without a kind: how often it has struck.

    persistent count
    if isempty(count)
        count = 0;
    end
    if nargin == 0
        strikes = floor(count / str2double(getenv('FAULT_EVERY')));
        return
    end
    strikes = false;
    if strcmp(getenv('FAULT'), kind)
        count = count + 1;
        strikes = mod(count, str2double(getenv('FAULT_EVERY'))) == 0;
    end
end
