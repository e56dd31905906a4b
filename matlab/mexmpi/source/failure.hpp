// Errors: every failure is a C++ exception until the outermost frame, where it becomes an Octave error with an identifier.
// So no jump of the interpreter ever crosses a frame that owns something.
#pragma once
#include <mpi.h>

#include <cstdarg>
#include <cstdio>
#include <string>

namespace mexmpi {

struct Failure {
    std::string id;    // e.g. "mpi:ERR_TRUNCATE"
    std::string text;  // without the function's name
};

[[noreturn]] inline void fail(const char* id, const char* format, ...) {
    char text[2048];
    va_list rest;
    va_start(rest, format);
    std::vsnprintf(text, sizeof text, format, rest);
    va_end(rest);
    throw Failure{std::string("mpi:") + id, text};
}

struct ErrorName {
    int code;
    const char* name;
};

inline const char* error_class_name(int error_class) {
    static const ErrorName names[] = {
        {MPI_ERR_BUFFER, "ERR_BUFFER"}, {MPI_ERR_COUNT, "ERR_COUNT"}, {MPI_ERR_TYPE, "ERR_TYPE"},
        {MPI_ERR_TAG, "ERR_TAG"}, {MPI_ERR_COMM, "ERR_COMM"}, {MPI_ERR_RANK, "ERR_RANK"},
        {MPI_ERR_REQUEST, "ERR_REQUEST"}, {MPI_ERR_ROOT, "ERR_ROOT"}, {MPI_ERR_GROUP, "ERR_GROUP"},
        {MPI_ERR_OP, "ERR_OP"}, {MPI_ERR_TOPOLOGY, "ERR_TOPOLOGY"}, {MPI_ERR_DIMS, "ERR_DIMS"},
        {MPI_ERR_ARG, "ERR_ARG"}, {MPI_ERR_UNKNOWN, "ERR_UNKNOWN"}, {MPI_ERR_TRUNCATE, "ERR_TRUNCATE"},
        {MPI_ERR_OTHER, "ERR_OTHER"}, {MPI_ERR_INTERN, "ERR_INTERN"}, {MPI_ERR_PENDING, "ERR_PENDING"},
        {MPI_ERR_IN_STATUS, "ERR_IN_STATUS"}, {MPI_ERR_ACCESS, "ERR_ACCESS"}, {MPI_ERR_AMODE, "ERR_AMODE"},
        {MPI_ERR_ASSERT, "ERR_ASSERT"}, {MPI_ERR_BAD_FILE, "ERR_BAD_FILE"}, {MPI_ERR_BASE, "ERR_BASE"},
        {MPI_ERR_CONVERSION, "ERR_CONVERSION"}, {MPI_ERR_DISP, "ERR_DISP"}, {MPI_ERR_DUP_DATAREP, "ERR_DUP_DATAREP"},
        {MPI_ERR_FILE_EXISTS, "ERR_FILE_EXISTS"}, {MPI_ERR_FILE_IN_USE, "ERR_FILE_IN_USE"}, {MPI_ERR_FILE, "ERR_FILE"},
        {MPI_ERR_INFO_KEY, "ERR_INFO_KEY"}, {MPI_ERR_INFO_NOKEY, "ERR_INFO_NOKEY"},
        {MPI_ERR_INFO_VALUE, "ERR_INFO_VALUE"}, {MPI_ERR_INFO, "ERR_INFO"}, {MPI_ERR_IO, "ERR_IO"},
        {MPI_ERR_KEYVAL, "ERR_KEYVAL"}, {MPI_ERR_LOCKTYPE, "ERR_LOCKTYPE"}, {MPI_ERR_NAME, "ERR_NAME"},
        {MPI_ERR_NO_MEM, "ERR_NO_MEM"}, {MPI_ERR_NOT_SAME, "ERR_NOT_SAME"}, {MPI_ERR_NO_SPACE, "ERR_NO_SPACE"},
        {MPI_ERR_NO_SUCH_FILE, "ERR_NO_SUCH_FILE"}, {MPI_ERR_PORT, "ERR_PORT"}, {MPI_ERR_QUOTA, "ERR_QUOTA"},
        {MPI_ERR_READ_ONLY, "ERR_READ_ONLY"}, {MPI_ERR_RMA_CONFLICT, "ERR_RMA_CONFLICT"},
        {MPI_ERR_RMA_SYNC, "ERR_RMA_SYNC"}, {MPI_ERR_SERVICE, "ERR_SERVICE"}, {MPI_ERR_SIZE, "ERR_SIZE"},
        {MPI_ERR_SPAWN, "ERR_SPAWN"}, {MPI_ERR_UNSUPPORTED_DATAREP, "ERR_UNSUPPORTED_DATAREP"},
        {MPI_ERR_UNSUPPORTED_OPERATION, "ERR_UNSUPPORTED_OPERATION"}, {MPI_ERR_WIN, "ERR_WIN"},
        {MPI_ERR_RMA_RANGE, "ERR_RMA_RANGE"}, {MPI_ERR_RMA_ATTACH, "ERR_RMA_ATTACH"},
        {MPI_ERR_RMA_SHARED, "ERR_RMA_SHARED"}, {MPI_ERR_RMA_FLAVOR, "ERR_RMA_FLAVOR"}};
    for (const ErrorName& entry : names) {
        if (entry.code == error_class) return entry.name;
    }
    return "ERR_OTHER";
}

void run_error_handlers();  // attributes.hpp: the Octave functions whose C side has been called meanwhile

inline void check(int code) {
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int length = 0, error_class = MPI_ERR_OTHER;
    MPI_Error_class(code, &error_class);
    MPI_Error_string(code, text, &length);
    run_error_handlers();
    throw Failure{std::string("mpi:") + error_class_name(error_class), text};
}

}  // namespace mexmpi
