function is_job = filempi_is_job(names)
    % Which of these names (a cell, without folders) a job's folder can have.

    is_job = ~cellfun('isempty', regexp(names, '^filempi-[0-9a-f]{24}$', 'once'));
end
