function [info, stat, value] = MPI_Wait(req)
    % MPI_Wait  -  as MPI-TB had it: [info, stat, value] = MPI_Wait(req).

    [info, value, stat] = mpitb_call('MPI_Wait', 2, req);
    landed = mpitb_landed(req, 1, {value});
    for k = 1:numel(landed) * (nargout < 3)
        buffer = evalin('caller', landed(k).name, '[]');
        assignin('caller', landed(k).name, mpitb_write(buffer, landed(k).value));
    end
end
