function [info, stats, values] = MPI_Waitall(varargin)
    % MPI_Waitall  -  as MPI-TB had it: [info, stats, values] = MPI_Waitall(varargin).

    [info, values, stats] = mpitb_call('MPI_Waitall', 2, mpitb_list(varargin));
    landed = mpitb_landed(mpitb_list(varargin), 1:numel(values), values);
    for k = 1:numel(landed) * (nargout < 3)
        buffer = evalin('caller', landed(k).name, '[]');
        assignin('caller', landed(k).name, mpitb_write(buffer, landed(k).value));
    end
end
