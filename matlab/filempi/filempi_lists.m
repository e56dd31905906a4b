function listing = filempi_lists(choice)
    % Whether names are looked for by listing the folder: filempi_lists(true) chooses it, filempi_lists() asks.

    persistent chosen
    if nargin == 1
        chosen = choice;
    end
    listing = ~isempty(chosen) && chosen;
end
