function [facts, failed, message] = stat(name)
    % A message's name that is there is seen only at the fourth look (delayed visibility), or never.

    persistent seen looks
    [facts, failed, message] = builtin('stat', name);
    if failed == 0 && ~isempty(regexp(name, '/m\.\d+\.\d+$', 'once'))
        if ~strcmp(seen, name)
            seen = name;
            looks = 0;
        end
        looks = looks + 1;
        if looks < 4 && fault_strikes('delayed') || fault_strikes('never-seen')
            failed = -1;
        end
    end
end
