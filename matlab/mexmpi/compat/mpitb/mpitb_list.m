function requests = mpitb_list(given)
    % Requests given one by one, or as one array.

    requests = [given{:}];
end
