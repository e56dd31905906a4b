function [result, problem] = mexmpi_apply(operation, left, right)
    % Apply an Octave function as operation of a reduction. Its error is returned as a text: it must not leave through MPI.

    problem = '';
    result = [];
    try
        result = feval(operation, left, right);
    catch failure
        problem = ['the function of the operation has failed: ', failure.message];
    end
end
