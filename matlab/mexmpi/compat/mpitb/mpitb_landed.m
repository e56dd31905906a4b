function landed = mpitb_landed(requests, complete, values)
    % Landings (mpitb_landing) and values of the receives among the completed requests whose buffers were variables.

    landed = struct('name', {}, 'mark', {}, 'value', {});
    for k = 1:min(numel(complete), numel(values))
        if complete(k) >= 1 && complete(k) <= numel(requests)
            landing = mpitb_landing(requests(complete(k)));
            if ~isempty(landing.name)
                landing.value = values{k};
                landed(end + 1) = landing;
            end
        end
    end
end
