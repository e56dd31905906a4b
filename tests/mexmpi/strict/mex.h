// What MATLAB documents of its C interface (mx and mex functions, interleaved complex), and nothing else: a call that only
// Octave has does not compile against it. Written from the documentation for this test; not MATLAB's own header.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define MX_HAS_INTERLEAVED_COMPLEX 1
#define MATLAB_MEX_FILE 1

typedef struct mxArray_tag mxArray;
typedef size_t mwSize;
typedef size_t mwIndex;
#ifdef OCTAVE_CHARACTERS  // the fuzzer's seeds are messages of Octave, whose characters are bytes
typedef char mxChar;
#else
typedef uint16_t mxChar;
#endif
typedef bool mxLogical;
typedef double mxDouble;
typedef int64_t mxInt64;
typedef uint64_t mxUint64;
typedef enum { mxREAL, mxCOMPLEX } mxComplexity;
typedef enum {
    mxUNKNOWN_CLASS, mxCELL_CLASS, mxSTRUCT_CLASS, mxLOGICAL_CLASS, mxCHAR_CLASS, mxVOID_CLASS, mxDOUBLE_CLASS,
    mxSINGLE_CLASS, mxINT8_CLASS, mxUINT8_CLASS, mxINT16_CLASS, mxUINT16_CLASS, mxINT32_CLASS, mxUINT32_CLASS,
    mxINT64_CLASS, mxUINT64_CLASS, mxFUNCTION_CLASS
} mxClassID;

extern "C" {
void mexFunction(int nlhs, mxArray* plhs[], int nrhs, const mxArray* prhs[]);
const char* mexFunctionName(void);
void mexErrMsgIdAndTxt(const char* id, const char* format, ...);
void mexLock(void);
int mexAtExit(void (*function)(void));
mxArray* mexCallMATLABWithTrap(int nlhs, mxArray* plhs[], int nrhs, mxArray* prhs[], const char* name);
mxArray* mexEvalStringWithTrap(const char* command);
const mxArray* mexGetVariablePtr(const char* workspace, const char* name);
void mexMakeArrayPersistent(mxArray* array);

void* mxMalloc(size_t bytes);
void* mxCalloc(size_t count, size_t bytes);
void mxFree(void* memory);
mxArray* mxDuplicateArray(const mxArray* array);
void mxDestroyArray(mxArray* array);
mxArray* mxCreateNumericMatrix(mwSize m, mwSize n, mxClassID id, mxComplexity complexity);
mxArray* mxCreateNumericArray(mwSize ndim, const mwSize* dims, mxClassID id, mxComplexity complexity);
mxArray* mxCreateDoubleMatrix(mwSize m, mwSize n, mxComplexity complexity);
mxArray* mxCreateDoubleScalar(double value);
mxArray* mxCreateLogicalScalar(mxLogical value);
mxArray* mxCreateLogicalMatrix(mwSize m, mwSize n);
mxArray* mxCreateLogicalArray(mwSize ndim, const mwSize* dims);
mxArray* mxCreateCharArray(mwSize ndim, const mwSize* dims);
mxArray* mxCreateString(const char* text);
mxArray* mxCreateCellMatrix(mwSize m, mwSize n);
mxArray* mxCreateCellArray(mwSize ndim, const mwSize* dims);
mxArray* mxCreateStructMatrix(mwSize m, mwSize n, int fields, const char** names);
mxArray* mxCreateStructArray(mwSize ndim, const mwSize* dims, int fields, const char** names);
mxArray* mxCreateSparse(mwSize m, mwSize n, mwSize nzmax, mxComplexity complexity);
mxArray* mxCreateSparseLogicalMatrix(mwSize m, mwSize n, mwSize nzmax);
mxClassID mxGetClassID(const mxArray* array);
const char* mxGetClassName(const mxArray* array);
bool mxIsClass(const mxArray* array, const char* name);
bool mxIsComplex(const mxArray* array);
bool mxIsSparse(const mxArray* array);
bool mxIsChar(const mxArray* array);
bool mxIsCell(const mxArray* array);
bool mxIsStruct(const mxArray* array);
bool mxIsNumeric(const mxArray* array);
bool mxIsLogical(const mxArray* array);
bool mxIsDouble(const mxArray* array);
bool mxIsUint8(const mxArray* array);
bool mxIsInt64(const mxArray* array);
bool mxIsUint64(const mxArray* array);
size_t mxGetM(const mxArray* array);
size_t mxGetN(const mxArray* array);
mwSize mxGetNumberOfDimensions(const mxArray* array);
const mwSize* mxGetDimensions(const mxArray* array);
int mxSetDimensions(mxArray* array, const mwSize* dims, mwSize ndim);
size_t mxGetNumberOfElements(const mxArray* array);
double mxGetScalar(const mxArray* array);
void* mxGetData(const mxArray* array);
void mxSetData(mxArray* array, void* data);
int mxGetString(const mxArray* array, char* text, mwSize length);
mxArray* mxGetCell(const mxArray* array, mwIndex index);
void mxSetCell(mxArray* array, mwIndex index, mxArray* value);
int mxGetNumberOfFields(const mxArray* array);
const char* mxGetFieldNameByNumber(const mxArray* array, int field);
mxArray* mxGetField(const mxArray* array, mwIndex index, const char* name);
mxArray* mxGetFieldByNumber(const mxArray* array, mwIndex index, int field);
void mxSetFieldByNumber(mxArray* array, mwIndex index, int field, mxArray* value);
mwIndex* mxGetIr(const mxArray* array);
mwIndex* mxGetJc(const mxArray* array);
}
