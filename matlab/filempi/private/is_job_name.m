function is_job = is_job_name(names)
    % Which of these names (a cell, without folders) a job's folder can have.

    is_job = ~cellfun('isempty', regexp(names, '^filempi-[0-9a-f]{24}$', 'once'));
end
