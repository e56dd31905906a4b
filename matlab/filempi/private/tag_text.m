function text = tag_text(tag)
    % The text that a number below -2^60 stands for; '' for a tag that is a number.

    global FILEMPI
    text = '';
    place = (-2^60 - tag) / 1024;
    if place >= 1 && place <= numel(FILEMPI.tags) && mod(place, 1) == 0
        text = FILEMPI.tags{place};
    end
end
