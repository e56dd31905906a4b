function profreport(name, information)
    % MATLAB's report of a profile, for programs that were written there: Octave's, as pages in the folder NAME_html.

    profexport([name, '_html'], information);
end
