function bytes = sizeof(value)
    % What Octave's sizeof is on MATLAB, as far as MPI_Send asks for it: 8 for one real double, else another number.

    bytes = 8 * (isa(value, 'double') && isreal(value) && ~issparse(value) && isscalar(value));
end
