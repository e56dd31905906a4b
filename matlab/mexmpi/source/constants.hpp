// The objects that MPI has from the start, by the name of the constant; their handles stay the same for the whole process.
#pragma once
#include <map>

#include "handles.hpp"

namespace mexmpi {

struct Start {
    std::map<std::string, uint64_t> handles;  // of constants that are objects
    std::map<std::string, uint64_t> ops;      // of 'sum', 'max', ...
    uint64_t world = 0, self = 0, byte = 0, sum = 0;
};

inline void name_objects(Start& start);

// A program may name a constant before MPI_Init, as in C: what MPI itself has needs no MPI to be named.
inline Start& start_objects() {
    static Start start;
    if (start.handles.empty()) name_objects(start);
    return start;
}

// Greatest or least value and where it is: pairs of doubles, value and index, as columns of a 2 x n array.
template <bool greatest>
void locate(void* in, void* inout, int* length, MPI_Datatype*) {
    const double* a = static_cast<const double*>(in);
    double* b = static_cast<double*>(inout);
    for (int k = 0; k < *length; ++k, a += 2, b += 2) {
        bool better = greatest ? a[0] > b[0] : a[0] < b[0];
        if (better || (a[0] == b[0] && a[1] < b[1])) {
            b[0] = a[0];
            b[1] = a[1];
        }
    }
}

inline MPI_Datatype& pair_type() {
    static MPI_Datatype type = MPI_DATATYPE_NULL;
    return type;
}

inline uint64_t add_op(Start& start, const char* name, const char* word, MPI_Op op, bool pairs) {
    uint64_t handle = operations().add({op, true, pairs, -1});
    start.handles[name] = handle;
    if (*word) start.ops[word] = handle;
    return handle;
}

inline void add_ops(Start& start) {
    start.sum = add_op(start, "SUM", "sum", MPI_SUM, false);
    add_op(start, "PROD", "prod", MPI_PROD, false);
    add_op(start, "MAX", "max", MPI_MAX, false);
    add_op(start, "MIN", "min", MPI_MIN, false);
    add_op(start, "LAND", "and", MPI_LAND, false);
    add_op(start, "LOR", "or", MPI_LOR, false);
    add_op(start, "LXOR", "xor", MPI_LXOR, false);
    add_op(start, "BAND", "bitand", MPI_BAND, false);
    add_op(start, "BOR", "bitor", MPI_BOR, false);
    add_op(start, "BXOR", "bitxor", MPI_BXOR, false);
    add_op(start, "REPLACE", "replace", MPI_REPLACE, false);
    add_op(start, "NO_OP", "", MPI_NO_OP, false);
}

// The two that MPI has not: their pairs are of doubles.
inline void make_pair_ops(Start& start) {
    MPI_Op greatest, least;
    check(MPI_Op_create(locate<true>, 1, &greatest));
    check(MPI_Op_create(locate<false>, 1, &least));
    check(MPI_Type_contiguous(2, MPI_DOUBLE, &pair_type()));
    check(MPI_Type_commit(&pair_type()));
    add_op(start, "MAXLOC", "maxloc", greatest, true);
    add_op(start, "MINLOC", "minloc", least, true);
}

inline void add_types(Start& start) {
    const std::pair<const char*, MPI_Datatype> all[] = {
        {"DOUBLE", MPI_DOUBLE}, {"FLOAT", MPI_FLOAT}, {"INT8_T", MPI_INT8_T}, {"UINT8_T", MPI_UINT8_T},
        {"INT16_T", MPI_INT16_T}, {"UINT16_T", MPI_UINT16_T}, {"INT32_T", MPI_INT32_T}, {"UINT32_T", MPI_UINT32_T},
        {"INT64_T", MPI_INT64_T}, {"UINT64_T", MPI_UINT64_T}, {"C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX},
        {"C_FLOAT_COMPLEX", MPI_C_FLOAT_COMPLEX}, {"BYTE", MPI_BYTE}, {"CHAR", MPI_CHAR}, {"INT", MPI_INT}};
    for (const auto& entry : all) start.handles[entry.first] = types().add({entry.second, true});
    start.byte = start.handles["BYTE"];
}

inline void name_objects(Start& start) {
    Comm world{MPI_COMM_WORLD}, self{MPI_COMM_SELF}, none{MPI_COMM_NULL};
    world.predefined = self.predefined = none.predefined = true;
    start.world = start.handles["COMM_WORLD"] = comms().add(world);
    start.self = start.handles["COMM_SELF"] = comms().add(self);
    start.handles["COMM_NULL"] = comms().add(none);
    start.handles["GROUP_EMPTY"] = groups().add({MPI_GROUP_EMPTY});
    start.handles["GROUP_NULL"] = groups().add({MPI_GROUP_NULL});
    start.handles["INFO_NULL"] = infos().add({MPI_INFO_NULL, true});
    start.handles["INFO_ENV"] = infos().add({MPI_INFO_ENV, true});
    start.handles["REQUEST_NULL"] = 0;
    start.handles["ERRORS_RETURN"] = errhandlers().add({MPI_ERRORS_RETURN, true});
    start.handles["ERRORS_ARE_FATAL"] = errhandlers().add({MPI_ERRORS_ARE_FATAL, true});
    add_types(start);
    add_ops(start);
}

// Called once, when MPI has been initialised.
inline void make_start_objects() {
    check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    check(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    make_pair_ops(start_objects());
}

}  // namespace mexmpi
