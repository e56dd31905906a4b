function [info, idxs, stats, values] = MPI_Testsome(varargin)
    % MPI_Testsome  -  as MPI-TB had it: [info, idxs, stats, values] = MPI_Testsome(varargin).

    [info, idxs, values, stats] = mpitb_call('MPI_Testsome', 3, mpitb_list(varargin));
    landed = mpitb_landed(mpitb_list(varargin), idxs, values);
    for k = 1:numel(landed) * (nargout < 4)
        buffer = evalin('caller', landed(k).name, '[]');
        assignin('caller', landed(k).name, mpitb_write(buffer, landed(k).value));
    end
    idxs = idxs - 1;
end
