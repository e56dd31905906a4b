function strikes = fault_strikes(kind)
    % Does the fault of this kind strike now? FAULT names the kind, FAULT_EVERY how many calls lie between two strikes
    % (1: always). Counted per process, so every run is the same.

    persistent count
    if isempty(count)
        count = 0;
    end
    strikes = false;
    if strcmp(getenv('FAULT'), kind)
        count = count + 1;
        strikes = mod(count, str2double(getenv('FAULT_EVERY'))) == 0;
    end
end
