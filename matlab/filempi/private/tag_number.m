function number = tag_number(text)
    % The number that stands for a text tag in this process: below -2^60, where no tag of a program is. In a message the
    % text itself travels, before the values (wire_tag).

    global FILEMPI
    place = find(strcmp(FILEMPI.tags, text), 1);
    if isempty(place)
        FILEMPI.tags{end + 1} = text;
        place = numel(FILEMPI.tags);
    end
    number = -2^60 - 1024 * place;
end
