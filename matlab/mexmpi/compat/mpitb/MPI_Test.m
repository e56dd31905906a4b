function [info, flag, stat, value] = MPI_Test(req)
    % MPI_Test  -  as MPI-TB had it: [info, flag, stat, value] = MPI_Test(req).

    [info, flag, value, stat] = mpitb_call('MPI_Test', 3, req);
    landed = mpitb_landed(req, find(flag), {value});
    mpitb_land('MPI_Test', nargout < 4);
end
