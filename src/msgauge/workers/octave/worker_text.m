function text = worker_text(name)
    % The content of a small text file; '' when it cannot be read.

    text = '';
    fid = fopen(name, 'r');
    if fid > 0
        text = reshape(fread(fid, [1, Inf], 'uint8=>char'), 1, []);
        fclose(fid);
    end
end
