function [info, idx, stat, value] = MPI_Waitany(varargin)
    % MPI_Waitany  -  as MPI-TB had it: [info, idx, stat, value] = MPI_Waitany(varargin).

    [info, idx, value, stat] = mpitb_call('MPI_Waitany', 3, mpitb_list(varargin));
    landed = mpitb_landed(mpitb_list(varargin), idx, {value});
    for k = 1:numel(landed) * (nargout < 4)
        buffer = evalin('caller', landed(k).name, '[]');
        assignin('caller', landed(k).name, mpitb_write(buffer, landed(k).value));
    end
    idx = idx - 1;
end
