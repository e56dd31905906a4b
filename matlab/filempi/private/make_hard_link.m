function make_hard_link(from, to)
    % Primitive: a second name of a file in the same file system; where there are no hard links, a copy.

    failed = true;
    if exist('OCTAVE_VERSION', 'builtin') ~= 0
        failed = link(from, to) ~= 0;
    end
    if failed
        [done, message] = copyfile(from, to, 'f');
        if ~done
            error('MPI:writeFailed', 'Cannot copy %s to %s: %s.', from, to, message);
        end
    end
end
