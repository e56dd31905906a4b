function [failed, message] = unlink(name)
    % A message that was removed comes back.

    failed = 0;
    message = '';
    if isempty(strfind(name, '/m.')) || ~fault_strikes('undead') %#ok<STREMP>
        [failed, message] = builtin('unlink', name);
    end
end
