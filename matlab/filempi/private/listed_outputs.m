function names = listed_outputs(folder)
    % Names of the ranks' outputs that filempi has put into a MatMPI folder, as a cell row.

    names = regexp(read_text([folder, '/.filempi']), '[^\n]+\.\d+\.out(?=\n)', 'match');
    names = unique(reshape(names, 1, []));
end
