// The way back from bytes to a value. Nothing that the bytes say is believed before it has been checked against how many
// bytes there are, so that no input can make it read or write outside of them, or ask for memory beyond their size.
#pragma once
#include "array.hpp"
#include "encode.hpp"

namespace mexmpi {

constexpr uint64_t longest_dim = uint64_t(1) << 47;

struct Reader {
    const uint8_t* at;
    const uint8_t* end;

    size_t left() const { return end - at; }
    const uint8_t* take(size_t bytes) {
        if (bytes > left()) fail("damaged", "a message ends within a value");
        const uint8_t* here = at;
        at += bytes;
        return here;
    }
    template <class T>
    T get() {
        T value;
        std::memcpy(&value, take(sizeof value), sizeof value);
        return value;
    }
};

mxArray* decode(Reader& in, int depth);

// Product of dimensions; refused when so many elements of at least so many bytes do not fit into what is left.
inline size_t checked_count(const Dims& dims, size_t least_bytes, size_t left) {
    for (mwSize dim : dims) {
        if (dim == 0) return 0;
    }
    size_t product = 1;
    for (mwSize dim : dims) {
        if (dim > left / least_bytes / product) fail("damaged", "a message announces more elements than it holds");
        product *= dim;
    }
    return product;
}

inline Dims decode_dims(Reader& in) {
    uint32_t count = in.get<uint32_t>();
    if (count < 2 || count > 1024 || count > in.left() / 8) fail("damaged", "a message holds no valid dimensions");
    Dims dims(count);
    for (mwSize& dim : dims) {
        uint64_t value = in.get<uint64_t>();
        if (value > longest_dim) fail("damaged", "a message holds a dimension that is too large");
        dim = value;
    }
    return dims;
}

inline mxArray* decode_plain(Reader& in, const Shape& shape) {
    size_t count = checked_count(shape.dims, shape.element(), in.left());
    const uint8_t* data = in.take(count * shape.element());
    if (shape.code == code_logical) {
        for (size_t k = 0; k < count; ++k) {
            if (data[k] > 1) fail("damaged", "a message holds a logical that is neither true nor false");
        }
    }
    return array_of(shape, data);
}

inline void check_sparse(const std::vector<mwIndex>& rows, const std::vector<mwIndex>& starts, mwSize height) {
    if (starts.front() != 0 || starts.back() != rows.size()) fail("damaged", "a sparse array's columns do not add up");
    for (size_t column = 0; column + 1 < starts.size(); ++column) {
        if (starts[column] > starts[column + 1] || starts[column + 1] > rows.size()) {
            fail("damaged", "a sparse array's columns do not add up");
        }
        for (mwIndex k = starts[column]; k < starts[column + 1]; ++k) {
            if (rows[k] >= height || (k > starts[column] && rows[k] <= rows[k - 1])) {
                fail("damaged", "a sparse array's rows are not in order");
            }
        }
    }
}

inline mxArray* new_sparse(const Shape& shape, size_t stored) {
    mwSize rows = shape.dims[0], columns = shape.dims[1];
    if (shape.code == code_logical) return mxCreateSparseLogicalMatrix(rows, columns, stored);
    mxArray* made = mxCreateSparse(rows, columns, stored, shape.complex ? mxCOMPLEX : mxREAL);
    if (shape.complex) {
        mxFree(mxGetData(made));
        mxSetData(made, mxCalloc(stored, shape.element()));
    }
    return made;
}

inline mxArray* decode_sparse(Reader& in, const Shape& shape) {
    if (shape.dims.size() != 2 || (shape.code != code_double && shape.code != code_logical) ||
        (shape.complex && shape.code == code_logical)) {
        fail("damaged", "a message holds a sparse array that cannot be");
    }
    uint64_t stored = in.get<uint64_t>();
    mwSize columns = shape.dims[1];
    if (stored > in.left() / 8 || columns >= in.left() / 8) fail("damaged", "a sparse array is cut off");
    std::vector<mwIndex> rows(stored), starts(columns + 1);
    for (mwIndex& row : rows) row = in.get<uint64_t>();
    for (mwIndex& start : starts) start = in.get<uint64_t>();
    check_sparse(rows, starts, shape.dims[0]);
    const uint8_t* data = in.take(stored * shape.element());
    mxArray* made = new_sparse(shape, stored ? stored : 1);
    std::memcpy(mxGetJc(made), starts.data(), starts.size() * sizeof(mwIndex));
    if (stored) {
        std::memcpy(mxGetIr(made), rows.data(), stored * sizeof(mwIndex));
        std::memcpy(mxGetData(made), data, stored * shape.element());
    }
    return made;
}

inline mxArray* decode_cell(Reader& in, const Dims& dims, int depth) {
    size_t count = checked_count(dims, 8, in.left());
    mxArray* made = mxCreateCellArray(dims.size(), dims.data());
    for (size_t k = 0; k < count; ++k) mxSetCell(made, k, decode(in, depth + 1));
    return made;
}

inline std::vector<std::string> decode_names(Reader& in) {
    uint32_t count = in.get<uint32_t>();
    if (count > in.left() / 4) fail("damaged", "a message announces more fields than it holds");
    std::vector<std::string> names;
    for (uint32_t k = 0; k < count; ++k) {
        uint32_t length = in.get<uint32_t>();
        const char* text = reinterpret_cast<const char*>(in.take(length));
        names.emplace_back(text, length);
        if (length == 0 || names.back().find('\0') != std::string::npos) fail("damaged", "a field has no valid name");
        for (uint32_t j = 0; j < k; ++j) {
            if (names[j] == names[k]) fail("damaged", "a field comes twice");
        }
        if (k > 4096) fail("damaged", "a message announces too many fields");
    }
    return names;
}

inline mxArray* decode_struct(Reader& in, const Dims& dims, int depth) {
    std::vector<std::string> names = decode_names(in);
    std::vector<const char*> pointers;
    for (const std::string& name : names) pointers.push_back(name.c_str());
    size_t count = checked_count(dims, names.empty() ? 1 : 8 * names.size(), in.left());
    mxArray* made = mxCreateStructArray(dims.size(), dims.data(), pointers.size(), pointers.data());
    if (names.empty()) in.take(count);
    for (size_t k = 0; k < count && !names.empty(); ++k) {
        for (size_t f = 0; f < names.size(); ++f) mxSetFieldByNumber(made, k, f, decode(in, depth + 1));
    }
    return made;
}

inline mxArray* decode(Reader& in, int depth) {
    if (depth > deepest + 1) fail("damaged", "a message is nested too deep");
    uint8_t code = in.get<uint8_t>(), flags = in.get<uint8_t>(), bytes = in.get<uint8_t>(), zero = in.get<uint8_t>();
    if (code == code_none || code > code_struct || flags > 3 || zero != 0 || bytes != facts_of(Code(code)).bytes) {
        fail("damaged", "a message holds no valid value");
    }
    Shape shape{Code(code), (flags & flag_complex) != 0, decode_dims(in)};
    if (shape.complex && code != code_double && code != code_single) fail("damaged", "this class has no complex values");
    if (flags & flag_sparse) return decode_sparse(in, shape);
    if (code == code_cell) return decode_cell(in, shape.dims, depth);
    if (code == code_struct) return decode_struct(in, shape.dims, depth);
    return decode_plain(in, shape);
}

}  // namespace mexmpi
