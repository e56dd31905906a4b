function program = resolve_program(m_file)
    % The program as each rank finds it: a name on the path, or the absolute path of a script. Raises MPI:badProgram.

    if ~ischar(m_file) || isempty(m_file)
        error('MPI:badProgram', 'The first argument of MPI_Run is the name of a script.');
    end
    if strncmp(m_file, 'compiled ', 9)
        error('MPI:badProgram', '%s is a program of MPI_cc, which Octave does not need: give the script''s name.', m_file);
    end
    program = m_file;
    if isvarname(m_file) && any(exist(m_file, 'file') == [2, 3, 6])
        return
    end
    if numel(m_file) < 2 || ~strcmp(m_file(end - 1:end), '.m')
        program = [m_file, '.m'];
    end
    if program(1) ~= '/'
        program = [pwd(), '/', program];
    end
    if exist(program, 'file') ~= 2
        error('MPI:badProgram', 'There is no script %s. Is it in the working folder or on the path?', m_file);
    end
end
