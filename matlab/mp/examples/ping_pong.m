% Ping-pong between ranks 0 and 1: the time of half a round trip against the size of the message.
%
%   ping_pong                                        serially
%   eval(MPI_Run('ping_pong', 2, {}))               on filempi
%   mexmpi_launch('ping_pong.m', 2)                 on mexmpi
%
% With MP_PICTURE set to a file name, the curve is drawn there (double logarithmic, PNG).

mp.init();
my_rank = mp.rank();
other = mod(my_rank + 1, min(2, mp.size())); % serially: the same rank
sizes = 8 * 4.^(0:8);
half_us = zeros(size(sizes));
for place = 1:numel(sizes)
    message = (1:sizes(place) / 8) / 3;
    times = zeros(1, 20);
    for trial = 1:numel(times)
        started = tic();
        if my_rank == 0
            mp.send(other, trial, message);
            back = mp.recv(other, trial);
            times(trial) = toc(started);
            assert(isequal(back, message));
        elseif my_rank == 1
            mp.send(other, trial, mp.recv(other, trial));
        end
    end
    half_us(place) = median(times) / 2 * 1e6;
    if my_rank == 0
        fprintf('%9d bytes %10.1f us %8.3f GB/s\n', sizes(place), half_us(place), sizes(place) / half_us(place) / 1e3);
    end
end
if my_rank == 0
    example_curve(log2(sizes), log10(half_us));
end
mp.finalize();
