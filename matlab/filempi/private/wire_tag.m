function [tag, values] = wire_tag(tag, values)
    % How a tag stands in a message: a number as it is; a text as NaN, and the text before the values.

    if tag < -2^60
        values = [{tag_text(tag)}, values];
        tag = NaN;
    end
end
