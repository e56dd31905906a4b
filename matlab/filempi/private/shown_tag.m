function text = shown_tag(tag)
    % A tag as a program wrote it: '*', a number, or a text tag.

    text = tag;
    if ~ischar(tag)
        text = tag_text(tag);
        if isempty(text)
            text = sprintf('%d', tag);
        end
    end
end
