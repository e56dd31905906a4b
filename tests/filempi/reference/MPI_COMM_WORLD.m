function comm = MPI_COMM_WORLD()
    comm = struct('rank', str2double(getenv('REFERENCE_RANK')), 'size', str2double(getenv('REFERENCE_SIZE')), ...
                  'save_message_flag', 0, 'folder', getenv('REFERENCE_FOLDER'));
end
