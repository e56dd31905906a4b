function quoted = shell_quote(text)
    % One word for a POSIX shell, whatever the text holds: quotes, spaces, newlines, dollars. The only function that
    % prepares text for a shell. Raises MPI:badName for a NUL, which no argument can hold.

    if any(text == 0)
        error('MPI:badName', 'A name with a NUL cannot be given to a shell.');
    end
    quoted = ['''', strrep(text, '''', '''\'''''), ''''];
end
