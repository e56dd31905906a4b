// Arrays as the interpreter gives and takes them: their shape, their data, and new ones of a given shape.
#pragma once
#include <string>
#include <vector>

#include "classes.hpp"
#include "memory.hpp"

namespace mexmpi {

using Dims = std::vector<mwSize>;

// The data of an array. The typed functions (mxGetDoubles ...) end Octave 7 when the argument was a range.
template <class T>
T* elements(const mxArray* x) {
    return static_cast<T*>(mxGetData(x));
}

struct Shape {
    Code code = code_none;
    bool complex = false;
    Dims dims{0, 0};

    size_t count() const {
        size_t product = 1;
        for (mwSize dim : dims) product *= dim;
        return product;
    }
    size_t element() const { return facts_of(code).bytes * (complex ? 2 : 1); }
    size_t bytes() const { return count() * element(); }
    MPI_Datatype type() const { return type_of(code, complex); }
};

inline Dims dims_of(const mxArray* x) {
    const mwSize* dims = mxGetDimensions(x);
    return Dims(dims, dims + mxGetNumberOfDimensions(x));
}

inline Shape shape_of(const mxArray* x) { return {code_of(mxGetClassID(x)), mxIsComplex(x), dims_of(x)}; }

// A full numeric, logical or char array: what lies in memory as plain elements.
inline bool is_plain(const mxArray* x) {
    Code code = code_of(mxGetClassID(x));
    return code != code_none && code < code_cell && !mxIsSparse(x);
}

inline bool is_text(const mxArray* x) { return x && mxIsChar(x) && mxGetM(x) <= 1; }

inline std::string text_of(const mxArray* x) {
    std::string text(mxGetNumberOfElements(x) * sizeof(mxChar) + 1, '\0');
    mxGetString(x, &text[0], text.size());
    text.resize(std::strlen(text.c_str()));
    return text;
}

// Octave narrows a complex array whose imaginary parts are all zero when it takes it over from a MEX file; only what its
// own function complex() returns stays complex. So such arrays are made by that.
mxArray* complex_of_zero_parts(const Shape& shape, const void* data);

template <class T>
T part_at(const void* data, size_t k) {  // within a message nothing is aligned
    T part;
    std::memcpy(&part, static_cast<const char*>(data) + k * sizeof part, sizeof part);
    return part;
}

template <class T>
bool all_zero_parts(const void* data, size_t count) {
    for (size_t k = 0; k < count; ++k) {
        if (part_at<T>(data, 2 * k + 1) != 0) return false;
    }
    return true;
}

// Memory that an array will own, so that nothing is copied before the array is returned.
inline mxArray* array_owning(const Shape& shape, void* data) {
    mxArray* made = shape.code == code_logical ? mxCreateLogicalMatrix(0, 0)
                    : shape.code == code_char  ? mxCreateString("")
                                               : mxCreateNumericMatrix(0, 0, facts_of(shape.code).id,
                                                                       shape.complex ? mxCOMPLEX : mxREAL);
    mxSetData(made, data);
    mxSetDimensions(made, shape.dims.data(), shape.dims.size());
    return made;
}

// Octave 7 gives a new complex array the memory of a real one: complex arrays, full or sparse, get memory from here.
inline mxArray* empty_array(const Shape& shape) {
    const Dims& dims = shape.dims;
    if (shape.complex) return array_owning(shape, mxCalloc(shape.count() + 1, 2 * facts_of(shape.code).bytes));
    if (shape.code == code_logical) return mxCreateLogicalArray(dims.size(), dims.data());
    if (shape.code == code_char) return mxCreateCharArray(dims.size(), dims.data());
    return mxCreateNumericArray(dims.size(), dims.data(), facts_of(shape.code).id, mxREAL);
}

inline bool would_be_narrowed(const Shape& shape, const void* data) {
    if (!shape.complex) return false;
    return shape.code == code_double ? all_zero_parts<double>(data, shape.count())
                                     : all_zero_parts<float>(data, shape.count());
}

// A new array with these elements.
inline mxArray* array_of(const Shape& shape, const void* data) {
    if (would_be_narrowed(shape, data)) return complex_of_zero_parts(shape, data);
    if (shape.code == code_double && !shape.complex && shape.count() == 1) return mxCreateDoubleScalar(part_at<double>(data, 0));
    mxArray* made = empty_array(shape);
    if (shape.bytes()) std::memcpy(mxGetData(made), data, shape.bytes());
    return made;
}

template <class T>
void real_parts_of(const void* data, size_t count, void* real, void* imaginary) {
    for (size_t k = 0; k < count; ++k) {
        static_cast<T*>(real)[k] = part_at<T>(data, 2 * k);
        static_cast<T*>(imaginary)[k] = part_at<T>(data, 2 * k + 1);
    }
}

// What a function of the interpreter gives for two arguments; null when it fails.
inline mxArray* interpreter_result(const char* function, const mxArray* first, const mxArray* second) {
    mxArray* arguments[2] = {const_cast<mxArray*>(first), const_cast<mxArray*>(second)};
    mxArray* made = nullptr;
    return mexCallMATLABWithTrap(1, &made, 2, arguments, function) ? nullptr : made;
}

inline mxArray* complex_of_zero_parts(const Shape& shape, const void* data) {
    Shape real = shape;
    real.complex = false;
    mxArray* parts[2] = {empty_array(real), empty_array(real)};
    if (shape.code == code_double) {
        real_parts_of<double>(data, shape.count(), mxGetData(parts[0]), mxGetData(parts[1]));
    } else {
        real_parts_of<float>(data, shape.count(), mxGetData(parts[0]), mxGetData(parts[1]));
    }
    mxArray* made = interpreter_result("complex", parts[0], parts[1]);
    mxDestroyArray(parts[0]);
    mxDestroyArray(parts[1]);
    if (!made) fail("internal", "the interpreter could not make a complex array");
    return made;
}

inline mxArray* row_of(const std::vector<double>& values) {
    mxArray* made = mxCreateDoubleMatrix(1, values.size(), mxREAL);
    if (!values.empty()) std::memcpy(elements<double>(made), values.data(), 8 * values.size());
    return made;
}

inline mxArray* nothing() { return mxCreateDoubleMatrix(0, 0, mxREAL); }

}  // namespace mexmpi
