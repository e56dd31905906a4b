function [info, flag, stat, value] = MPI_Test(req)
    % MPI_Test  -  as MPI-TB had it: [info, flag, stat, value] = MPI_Test(req).

    [info, flag, value, stat] = mpitb_call('MPI_Test', 3, req);
    landed = mpitb_landed(req, find(flag), {value});
    for k = 1:numel(landed) * (nargout < 4)
        buffer = evalin('caller', landed(k).name, '[]');
        assignin('caller', landed(k).name, mpitb_write(buffer, landed(k).value));
    end
end
