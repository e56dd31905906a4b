// The classes of arrays: what each is on the wire, in MPI, and how many bytes an element has.
#pragma once
#include <mex.h>
#include <mpi.h>

#include <cstdint>
#include <cstring>

#include "failure.hpp"

namespace mexmpi {

enum Code : uint8_t {
    code_none, code_double, code_single, code_int8, code_uint8, code_int16, code_uint16, code_int32, code_uint32,
    code_int64, code_uint64, code_logical, code_char, code_cell, code_struct
};

struct ClassFacts {
    mxClassID id;
    const char* name;
    size_t bytes;  // of one real element; 0 for cell and struct
};

inline const ClassFacts& facts_of(Code code) {
    static const ClassFacts facts[] = {
        {mxUNKNOWN_CLASS, "", 0}, {mxDOUBLE_CLASS, "double", 8}, {mxSINGLE_CLASS, "single", 4},
        {mxINT8_CLASS, "int8", 1}, {mxUINT8_CLASS, "uint8", 1}, {mxINT16_CLASS, "int16", 2},
        {mxUINT16_CLASS, "uint16", 2}, {mxINT32_CLASS, "int32", 4}, {mxUINT32_CLASS, "uint32", 4},
        {mxINT64_CLASS, "int64", 8}, {mxUINT64_CLASS, "uint64", 8}, {mxLOGICAL_CLASS, "logical", sizeof(mxLogical)},
        {mxCHAR_CLASS, "char", sizeof(mxChar)}, {mxCELL_CLASS, "cell", 0}, {mxSTRUCT_CLASS, "struct", 0}};
    return facts[code <= code_struct ? code : 0];
}

inline Code code_of(mxClassID id) {
    switch (id) {
        case mxDOUBLE_CLASS: return code_double;
        case mxSINGLE_CLASS: return code_single;
        case mxINT8_CLASS: return code_int8;
        case mxUINT8_CLASS: return code_uint8;
        case mxINT16_CLASS: return code_int16;
        case mxUINT16_CLASS: return code_uint16;
        case mxINT32_CLASS: return code_int32;
        case mxUINT32_CLASS: return code_uint32;
        case mxINT64_CLASS: return code_int64;
        case mxUINT64_CLASS: return code_uint64;
        case mxLOGICAL_CLASS: return code_logical;
        case mxCHAR_CLASS: return code_char;
        case mxCELL_CLASS: return code_cell;
        case mxSTRUCT_CLASS: return code_struct;
        default: return code_none;
    }
}

inline Code code_named(const char* name) {
    for (int code = code_double; code <= code_char; ++code) {
        if (std::strcmp(facts_of(Code(code)).name, name) == 0) return Code(code);
    }
    fail("badInput", "'%s' is no class of arrays that MPI can move; take double, single, int8 ... uint64, logical, char",
         name);
}

// The type of MPI's own for an element; complex elements are two parts side by side.
inline MPI_Datatype type_of(Code code, bool complex) {
    if (complex) {
        if (code == code_double) return MPI_C_DOUBLE_COMPLEX;
        if (code == code_single) return MPI_C_FLOAT_COMPLEX;
        fail("badInput", "complex arrays of class %s cannot be moved by MPI's own types", facts_of(code).name);
    }
    switch (code) {
        case code_double: return MPI_DOUBLE;
        case code_single: return MPI_FLOAT;
        case code_int8: return MPI_INT8_T;
        case code_uint8: return MPI_UINT8_T;
        case code_int16: return MPI_INT16_T;
        case code_uint16: return MPI_UINT16_T;
        case code_int32: return MPI_INT32_T;
        case code_uint32: return MPI_UINT32_T;
        case code_int64: return MPI_INT64_T;
        case code_uint64: return MPI_UINT64_T;
        case code_logical: return MPI_UINT8_T;
        case code_char: return sizeof(mxChar) == 1 ? MPI_UINT8_T : MPI_UINT16_T;
        default: fail("badInput", "only numeric, logical and char arrays can be moved by MPI's own types");
    }
}

}  // namespace mexmpi
