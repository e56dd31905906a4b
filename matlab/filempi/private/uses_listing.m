function listing = uses_listing(choice)
    % Whether names are looked for by listing the folder: uses_listing(true) chooses it, uses_listing() asks.

    persistent chosen
    if nargin == 1
        chosen = choice;
    end
    listing = ~isempty(chosen) && chosen;
end
