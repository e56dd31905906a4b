function [info, stat, value] = MPI_Wait(req)
    % MPI_Wait  -  as MPI-TB had it: [info, stat, value] = MPI_Wait(req).

    [info, value, stat] = mpitb_call('MPI_Wait', 2, req);
    landed = mpitb_landed(req, 1, {value});
    mpitb_land('MPI_Wait', nargout < 3);
end
