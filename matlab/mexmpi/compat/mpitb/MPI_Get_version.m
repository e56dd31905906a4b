function [info, version, subversion] = MPI_Get_version(varargin)
    % MPI_Get_version  -  as MPI-TB had it: [info, version, subversion] = MPI_Get_version(...).

    [info, version, subversion] = mpitb_call('MPI_Get_version', 2, varargin{:});
end
