// Any value as a row of bytes: what cannot be sent as plain elements (cell, struct, sparse, nested) is written like this.
//
//   value   = code u8, flags u8 (1 complex, 2 sparse), element bytes u8, 0 u8, dimensions u32, dimension u64 ..., content
//   content = elements                                            numeric, logical, char
//           | stored u64, row u64 ..., column start u64 ..., elements    sparse
//           | value ...                                           cell
//           | fields u32, (length u32, name) ..., value ...       struct, element by element; no fields: a 0 for each element
//
// All numbers in the byte order of the machine.
#pragma once
#include "array.hpp"

namespace mexmpi {

constexpr uint8_t flag_complex = 1, flag_sparse = 2;
constexpr int deepest = 500;

void encode(const mxArray* x, Buffer& out, const std::string& place, int depth);

inline void refuse(const mxArray* x, const std::string& place) {
    fail("cannotCarry", "%s is of class %s, which a message cannot carry; send the data that it is made of instead",
         place.c_str(), mxGetClassName(x));
}

inline void encode_sparse(const mxArray* x, Buffer& out) {
    mwSize columns = mxGetN(x);
    const mwIndex* starts = mxGetJc(x);
    const mwIndex* rows = mxGetIr(x);
    size_t stored = starts[columns];
    out.put<uint64_t>(stored);
    for (size_t k = 0; k < stored; ++k) out.put<uint64_t>(rows[k]);
    for (size_t k = 0; k <= columns; ++k) out.put<uint64_t>(starts[k]);
    size_t element = mxIsLogical(x) ? sizeof(mxLogical) : mxIsComplex(x) ? 16 : 8;
    out.append(mxGetData(x), stored * element);
}

inline void encode_cell(const mxArray* x, Buffer& out, const std::string& place, int depth) {
    size_t count = mxGetNumberOfElements(x);
    for (size_t k = 0; k < count; ++k) {
        const mxArray* part = mxGetCell(x, k);
        std::string where = place + "{" + std::to_string(k + 1) + "}";
        if (part) {
            encode(part, out, where, depth + 1);
        } else {
            mxArray* empty = nothing();  // an element that was never set
            encode(empty, out, where, depth + 1);
            mxDestroyArray(empty);
        }
    }
}

inline void encode_struct(const mxArray* x, Buffer& out, const std::string& place, int depth) {
    int fields = mxGetNumberOfFields(x);
    size_t count = mxGetNumberOfElements(x);
    out.put<uint32_t>(fields);
    for (int f = 0; f < fields; ++f) {
        const char* name = mxGetFieldNameByNumber(x, f);
        uint32_t length = std::strlen(name);
        out.put(length);
        out.append(name, length);
    }
    for (size_t k = 0; k < count; ++k) {
        if (fields == 0) out.put<uint8_t>(0);
        for (int f = 0; f < fields; ++f) {
            std::string where = count == 1 ? place : place + "(" + std::to_string(k + 1) + ")";
            where += std::string(".") + mxGetFieldNameByNumber(x, f);
            const mxArray* part = mxGetFieldByNumber(x, k, f);
            mxArray* empty = part ? nullptr : nothing();
            encode(part ? part : empty, out, where, depth + 1);
            if (empty) mxDestroyArray(empty);
        }
    }
}

inline void encode(const mxArray* x, Buffer& out, const std::string& place, int depth) {
    if (depth > deepest) fail("cannotCarry", "%s is nested more than %d deep", place.c_str(), deepest);
    Code code = code_of(mxGetClassID(x));
    if (code == code_none) refuse(x, place);
    bool sparse = mxIsSparse(x);
    out.put<uint8_t>(code);
    out.put<uint8_t>((mxIsComplex(x) ? flag_complex : 0) | (sparse ? flag_sparse : 0));
    out.put<uint8_t>(facts_of(code).bytes);
    out.put<uint8_t>(0);
    Dims dims = dims_of(x);
    out.put<uint32_t>(dims.size());
    for (mwSize dim : dims) out.put<uint64_t>(dim);
    if (sparse) {
        encode_sparse(x, out);
    } else if (code == code_cell) {
        encode_cell(x, out, place, depth);
    } else if (code == code_struct) {
        encode_struct(x, out, place, depth);
    } else {
        out.append(mxGetData(x), mxGetNumberOfElements(x) * facts_of(code).bytes * (mxIsComplex(x) ? 2 : 1));
    }
}

}  // namespace mexmpi
