function landing = mpitb_landing(request, name, global_)
    % The variable into which a receive that has begun is to write: kept with three arguments, taken with one.
    %
    % Its fields: name; mark, the name of a variable that marks the workspace it is of (none for a global variable, which is
    % the same everywhere). Both are '' where there is nothing to write into.

    persistent landings count
    if isempty(landings)
        landings = containers.Map('KeyType', 'char', 'ValueType', 'any');
        count = 0;
    end
    key = sprintf('%d', request);
    landing = struct('name', '', 'mark', '');
    if nargin == 3
        landing.name = name;
        if ~isempty(name) && ~global_
            count += 1;  % requests are numbered anew, and a mark may outlive its request
            landing.mark = sprintf('mpitb_landing_%d_', count);
        end
        landings(key) = landing;
    elseif isKey(landings, key)
        landing = landings(key);
        remove(landings, key);
    end
end
