// What a datatype was made of.
#pragma once
#include "files.hpp"

namespace mexmpi {

inline void type_contents(Call& c) {
    MPI_Datatype type = c.type(0);
    int integers = 0, addresses = 0, parts = 0, combiner = 0;
    check(MPI_Type_get_envelope(type, &integers, &addresses, &parts, &combiner));
    if (combiner == MPI_COMBINER_NAMED) fail("ERR_TYPE", "a predefined datatype was not made of others");
    std::vector<int> numbers(integers + 1);
    std::vector<MPI_Aint> places(addresses + 1);
    std::vector<MPI_Datatype> found(parts + 1);
    check(MPI_Type_get_contents(type, integers, addresses, parts, numbers.data(), places.data(), found.data()));
    numbers.resize(integers);
    c.give(0, counts_array(numbers));
    c.give(1, row_of(std::vector<double>(places.begin(), places.begin() + addresses)));
    mxArray* handles = mxCreateNumericMatrix(1, parts, mxUINT64_CLASS, mxREAL);
    for (int k = 0; k < parts; ++k) elements<uint64_t>(handles)[k] = known_type(found[k]);
    c.give(2, handles);
}

}  // namespace mexmpi
