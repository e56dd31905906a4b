function script = filempi_script(choice)
    % The script that this rank runs: filempi_script(path) chooses it, filempi_script() asks.

    persistent chosen
    if nargin == 1
        chosen = choice;
    end
    script = chosen;
end
