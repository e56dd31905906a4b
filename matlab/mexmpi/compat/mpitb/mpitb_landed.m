function landed = mpitb_landed(requests, complete, values)
    % Names and values of the receives among the completed requests whose buffers were variables.

    landed = struct('name', {}, 'value', {});
    for k = 1:min(numel(complete), numel(values))
        if complete(k) >= 1 && complete(k) <= numel(requests)
            name = mpitb_landing(requests(complete(k)));
            if isvarname(name)
                landed(end + 1) = struct('name', name, 'value', {values{k}});
            end
        end
    end
end
