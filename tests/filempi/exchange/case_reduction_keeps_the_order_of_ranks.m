function case_reduction_keeps_the_order_of_ranks(m)
    word = char('a' + m.rank);
    got = m.allreduce(3, word, @(left, right) [left, right]);
    assert(strcmp(got, char('a' + (0:m.size - 1))));
end
