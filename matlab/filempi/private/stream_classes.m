function names = stream_classes()
    % The classes whose arrays can stand in a stream, in the order of their type codes (1, 2, ...).
    % Code 13 is char in 16-bit units (MATLAB, beyond Latin-1).

    names = {'double', 'single', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', ...
             'logical', 'char'};
end
