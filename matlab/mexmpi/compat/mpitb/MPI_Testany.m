function [info, idx, flag, stat, value] = MPI_Testany(varargin)
    % MPI_Testany  -  as MPI-TB had it: [info, idx, flag, stat, value] = MPI_Testany(varargin).

    [info, flag, idx, value, stat] = mpitb_call('MPI_Testany', 4, mpitb_list(varargin));
    landed = mpitb_landed(mpitb_list(varargin), idx, {value});
    for k = 1:numel(landed) * (nargout < 5)
        buffer = evalin('caller', landed(k).name, '[]');
        assignin('caller', landed(k).name, mpitb_write(buffer, landed(k).value));
    end
    idx = idx - 1;
end
