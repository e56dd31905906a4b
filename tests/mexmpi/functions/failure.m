function id = failure(call)
    % The identifier of the error that a call raises; '' when it raises none.

    id = '';
    try
        call();
    catch problem
        id = problem.identifier;
    end
end
