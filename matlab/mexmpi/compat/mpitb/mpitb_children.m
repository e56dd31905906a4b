function state = mpitb_children(children, waiting)
    % The processes of Octave_Spawn's (children, none: []), and whether they wait for commands for as long as any come.

    persistent kept
    if nargin == 1
        waiting = false;
    end
    if nargin > 0
        kept = struct('children', children, 'waiting', waiting);
    elseif isempty(kept)
        kept = struct('children', [], 'waiting', false);
    end
    state = kept;
end
