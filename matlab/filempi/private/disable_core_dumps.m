function disable_core_dumps()
    % Octave, when it is ended by a signal, writes all variables to octave-workspace in the working folder. A rank that is
    % ended with its job leaves no such file.

    if exist('OCTAVE_VERSION', 'builtin') ~= 0
        sigterm_dumps_octave_core(false);
        sighup_dumps_octave_core(false);
        crash_dumps_octave_core(false);
    end
end
