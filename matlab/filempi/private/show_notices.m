function show_notices(folder)
    % Print, in the session, what other ranks have said of their waits since the last look.

    persistent shown_folder shown_bytes
    if ~strcmp(shown_folder, folder)
        shown_folder = folder;
        shown_bytes = 0;
    end
    name = [folder, '/notices'];
    if file_size(name) > shown_bytes
        text = read_text(name);
        fprintf(2, '%s', text(shown_bytes + 1:end));
        shown_bytes = numel(text);
    end
end
