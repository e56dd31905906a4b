% The seeds of the fuzzer, tests/mexmpi/strict/corpus.txt: one value of each kind as the bytes of its message.

corpus_values = {
    'double', [1, -0, NaN; Inf, pi, 2]
    'scalar', 7
    'empty', zeros(0, 3)
    'complex', [1 + 2i; -3i]
    'zero_parts', complex([1, 2], [0, 0])
    'single', single(1:3)
    'complex_single', single(1 + 1i)
    'int8', int8([-128, 127])
    'uint16', uint16([1; 65535])
    'int64', intmin('int64')
    'uint64', intmax('uint64')
    'logical', [true, false; false, true]
    'char', 'ping'
    'rows_of_char', ['ab'; 'cd']
    'array3', reshape(uint8(1:12), 2, 3, 2)
    'array7', reshape(1:4, [1, 2, 1, 1, 1, 1, 2])
    'sparse', sparse([1, 3, 2], [1, 1, 3], [5, -1, 2], 3, 4)
    'sparse_complex', sparse([0, 2i; 1, 0])
    'sparse_logical', sparse([true, false, true])
    'sparse_empty', sparse(5, 0)
    'cell', {1, 'two', {3, []}}
    'cell_empty', cell(0, 2)
    'struct', struct('a', {1, 'x'}, 'bb', {{}, sparse(1)})
    'no_fields', repmat(struct(), 1, 3)
    'nested', struct('s', struct('c', {{struct('d', int32(1:3))}}))
};
MPI_Init();
for corpus_k = 1:rows(corpus_values)
    corpus_bytes = MPI_Pack(corpus_values{corpus_k, 2});
    printf('corpus %s %s\n', corpus_values{corpus_k, 1}, sprintf('%02x', corpus_bytes));
end
MPI_Finalize();
