function prepare_graphics()
    % Let a program draw where there is no display: off-screen where there is a graphics toolkit, else figures are kept as
    % files by the functions of no_display/, which stand before Octave's on the path until leave_job.

    if exist('OCTAVE_VERSION', 'builtin') == 0 || have_window_system()
        return
    end
    if ~isempty(available_graphics_toolkits())
        set(0, 'defaultfigurevisible', 'off');
        return
    end
    previous = warning('off', 'Octave:shadowed-function');
    addpath(no_display_folder());
    warning(previous);
end
