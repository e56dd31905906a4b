function text = worker_encode(text)
    % A value of a frame's header: what is no letter, digit, dot, dash or underscore is percent-encoded.

    codes = arrayfun(@(letter) sprintf('%%%02X', letter), text, 'UniformOutput', false);
    plain = isletter(text) | (text >= '0' & text <= '9') | any(text == ['.'; '-'; '_'], 1);
    codes(plain) = num2cell(text(plain));
    text = [codes{:}];
end
