function example_picture(values)
    % Write values (0 black to 1 white) as a picture to the file that MP_PICTURE names, if it names one.

    name = getenv('MP_PICTURE');
    if ~isempty(name)
        imwrite(uint8(255 * min(1, max(0, values))), name);
    end
end
