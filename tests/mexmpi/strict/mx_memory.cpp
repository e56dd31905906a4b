// The mx functions that the decoder of values uses, over plain memory: so that it can be fuzzed under sanitizers without an
// interpreter. Every array is remembered and freed after each input.
#include "mex.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

struct mxArray_tag {
    mxClassID id = mxDOUBLE_CLASS;
    bool complex = false, sparse = false;
    std::vector<mwSize> dims{0, 0};
    unsigned char* data = nullptr;
    mxArray_tag() = default;
    mxArray_tag(const mxArray_tag&) = delete;
    ~mxArray_tag() { std::free(data); }
    std::vector<mwIndex> rows, starts;
    std::vector<mxArray*> parts;
    std::vector<std::string> names;
};

namespace {
std::vector<std::unique_ptr<mxArray_tag>> all;

size_t element_bytes(mxClassID id) {
    switch (id) {
        case mxDOUBLE_CLASS: case mxINT64_CLASS: case mxUINT64_CLASS: return 8;
        case mxSINGLE_CLASS: case mxINT32_CLASS: case mxUINT32_CLASS: return 4;
        case mxINT16_CLASS: case mxUINT16_CLASS: return 2;
        case mxCHAR_CLASS: return sizeof(mxChar);
        default: return 1;
    }
}

// As Octave 7 does it: a complex array gets the memory of a real one, so that a sanitizer tells of code that relies on more.
unsigned char* memory(size_t count, mxClassID id) {
    return static_cast<unsigned char*>(count ? std::calloc(count, element_bytes(id)) : nullptr);
}

mxArray* make(mxClassID id, bool complex, std::vector<mwSize> dims) {
    all.push_back(std::make_unique<mxArray_tag>());
    mxArray* made = all.back().get();
    made->id = id;
    made->complex = complex;
    made->dims = dims;
    size_t count = mxGetNumberOfElements(made);
    if (id == mxCELL_CLASS) made->parts.resize(count);
    else if (id != mxSTRUCT_CLASS) made->data = memory(count, id);
    return made;
}
}  // namespace

void forget_arrays() { all.clear(); }

extern "C" {
size_t mxGetNumberOfElements(const mxArray* x) {
    size_t count = 1;
    for (mwSize dim : x->dims) count = dim == 0 ? 0 : count * dim;
    for (mwSize dim : x->dims) if (dim == 0) return 0;
    return count;
}
mxArray* mxCreateDoubleScalar(double value) {
    mxArray* made = make(mxDOUBLE_CLASS, false, {1, 1});
    std::memcpy(made->data, &value, sizeof value);
    return made;
}
mxArray* mxCreateNumericArray(mwSize n, const mwSize* d, mxClassID id, mxComplexity c) { return make(id, c == mxCOMPLEX, {d, d + n}); }
mxArray* mxCreateLogicalArray(mwSize n, const mwSize* d) { return make(mxLOGICAL_CLASS, false, {d, d + n}); }
mxArray* mxCreateCharArray(mwSize n, const mwSize* d) { return make(mxCHAR_CLASS, false, {d, d + n}); }
mxArray* mxCreateCellArray(mwSize n, const mwSize* d) { return make(mxCELL_CLASS, false, {d, d + n}); }
mxArray* mxCreateStructArray(mwSize n, const mwSize* d, int fields, const char** names) {
    mxArray* made = make(mxSTRUCT_CLASS, false, {d, d + n});
    for (int k = 0; k < fields; ++k) made->names.push_back(names[k]);
    made->parts.resize(mxGetNumberOfElements(made) * fields);
    return made;
}
static mxArray* sparse(mxClassID id, mwSize m, mwSize n, mwSize stored, bool complex) {
    mxArray* made = make(id, complex, {0, 0});
    made->dims = {m, n};
    made->sparse = true;
    made->rows.resize(stored);
    made->starts.resize(n + 1);
    std::free(made->data);
    made->data = memory(stored, id);
    return made;
}
mxArray* mxCreateSparse(mwSize m, mwSize n, mwSize k, mxComplexity c) { return sparse(mxDOUBLE_CLASS, m, n, k, c == mxCOMPLEX); }
mxArray* mxCreateSparseLogicalMatrix(mwSize m, mwSize n, mwSize k) { return sparse(mxLOGICAL_CLASS, m, n, k, false); }
mxArray* mxCreateDoubleMatrix(mwSize m, mwSize n, mxComplexity) { return make(mxDOUBLE_CLASS, false, {m, n}); }
void mxDestroyArray(mxArray*) {}
mxArray* mxCreateNumericMatrix(mwSize m, mwSize n, mxClassID id, mxComplexity c) { return make(id, c == mxCOMPLEX, {m, n}); }
mxArray* mxCreateLogicalMatrix(mwSize m, mwSize n) { return make(mxLOGICAL_CLASS, false, {m, n}); }
mxArray* mxCreateString(const char*) { return make(mxCHAR_CLASS, false, {0, 0}); }
void* mxMalloc(size_t bytes) { return std::malloc(bytes); }
void* mxCalloc(size_t count, size_t bytes) { return std::calloc(count, bytes); }
void mxFree(void* memory) { std::free(memory); }
void mxSetData(mxArray* x, void* data) {  // what it had is the caller's to free
    x->data = static_cast<unsigned char*>(data);
}
int mxSetDimensions(mxArray* x, const mwSize* dims, mwSize n) {
    x->dims.assign(dims, dims + n);
    return 0;
}
void* mxGetData(const mxArray* x) { return x->data; }
mwIndex* mxGetIr(const mxArray* x) { return const_cast<mwIndex*>(x->rows.data()); }
mwIndex* mxGetJc(const mxArray* x) { return const_cast<mwIndex*>(x->starts.data()); }
void mxSetCell(mxArray* x, mwIndex k, mxArray* part) { x->parts.at(k) = part; }
void mxSetFieldByNumber(mxArray* x, mwIndex k, int f, mxArray* part) { x->parts.at(k * x->names.size() + f) = part; }
mxArray* mexCallMATLABWithTrap(int, mxArray* out[], int, mxArray* in[], const char*) {
    out[0] = make(in[0]->id, true, in[0]->dims);  // complex(real, imaginary), the only function that is called
    size_t bytes = element_bytes(in[0]->id);
    std::free(out[0]->data);
    out[0]->data = memory(2 * mxGetNumberOfElements(in[0]), in[0]->id);
    for (size_t k = 0; k < mxGetNumberOfElements(in[0]); ++k) {
        std::memcpy(&out[0]->data[2 * k * bytes], &in[0]->data[k * bytes], bytes);
        std::memcpy(&out[0]->data[(2 * k + 1) * bytes], &in[1]->data[k * bytes], bytes);
    }
    return nullptr;
}
// Asked by the encoder.
mxClassID mxGetClassID(const mxArray* x) { return x->id; }
const char* mxGetClassName(const mxArray*) { return ""; }
bool mxIsComplex(const mxArray* x) { return x->complex; }
bool mxIsSparse(const mxArray* x) { return x->sparse; }
bool mxIsLogical(const mxArray* x) { return x->id == mxLOGICAL_CLASS; }
mwSize mxGetNumberOfDimensions(const mxArray* x) { return x->dims.size(); }
const mwSize* mxGetDimensions(const mxArray* x) { return x->dims.data(); }
size_t mxGetN(const mxArray* x) { return x->dims[1]; }
mxArray* mxGetCell(const mxArray* x, mwIndex k) { return x->parts.at(k); }
int mxGetNumberOfFields(const mxArray* x) { return int(x->names.size()); }
const char* mxGetFieldNameByNumber(const mxArray* x, int f) { return x->names.at(f).c_str(); }
mxArray* mxGetFieldByNumber(const mxArray* x, mwIndex k, int f) { return x->parts.at(k * x->names.size() + f); }
bool mxIsChar(const mxArray* x) { return x->id == mxCHAR_CLASS; }
size_t mxGetM(const mxArray* x) { return x->dims[0]; }
int mxGetString(const mxArray*, char*, mwSize) { return 1; }
}
