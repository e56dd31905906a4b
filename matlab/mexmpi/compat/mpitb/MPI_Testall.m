function [info, flag, stats, values] = MPI_Testall(varargin)
    % MPI_Testall  -  as MPI-TB had it: [info, flag, stats, values] = MPI_Testall(varargin).

    [info, flag, values, stats] = mpitb_call('MPI_Testall', 3, mpitb_list(varargin));
    landed = mpitb_landed(mpitb_list(varargin), 1:numel(values), values);
    for k = 1:numel(landed) * (nargout < 4)
        buffer = evalin('caller', landed(k).name, '[]');
        assignin('caller', landed(k).name, mpitb_write(buffer, landed(k).value));
    end
end
