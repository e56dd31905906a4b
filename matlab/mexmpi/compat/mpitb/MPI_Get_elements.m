function [info, elems] = MPI_Get_elements(stat, type)
    % MPI_Get_elements  -  as MPI-TB had it: [info, elems] = MPI_Get_elements(stat, type), type being any value of a class.
    %
    % After a receive it is exact. After a probe it is exact for real double arrays; of one-byte classes it may be up to 7
    % more, of others up to 3: room that MPI_Recv leaves as it is.
    %
    % Example: [info, stat] = MPI_Probe(0, 1, comm); [info, n] = MPI_Get_elements(stat, []); x = zeros(1, n); MPI_Recv(x, 0, 1, comm);

    info = 0;
    bytes = 1;
    if isnumeric(type)
        one = cast(0, class(type));
        bytes = numel(typecast(one, 'uint8')) * (1 + iscomplex(type));
    end
    elems = floor(stat.len / bytes);
end
