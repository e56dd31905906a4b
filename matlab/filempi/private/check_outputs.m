function outputs = check_outputs(values, count)
    % The received values as outputs of a call with count outputs; Raises MPI:fewerValues.

    if count > numel(values)
        error('MPI:fewerValues', ...
              '%d values were asked for, but the message carries %d. Send as many as are received.', ...
              count, numel(values));
    end
    outputs = values;
end
