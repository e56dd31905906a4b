function abort(code)
    % mp.abort  -  End all ranks at once.

    mp_transport().abort(code);
end
