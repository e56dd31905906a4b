function remember(code)
    % An error handler for the examples: keeps the code in a global variable.

    global told
    told = code;
end
