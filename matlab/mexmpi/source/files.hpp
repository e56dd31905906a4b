// MPI-IO: arrays to and from files.
#pragma once
#include "collective.hpp"

namespace mexmpi {

inline int access_mode(const Call& c, int k) {
    if (!c.given(k)) return MPI_MODE_RDONLY;
    if (!mxIsChar(c.in[k])) return c.integer(k);
    std::string word = text_of(c.in[k]);
    if (word == "r") return MPI_MODE_RDONLY;
    if (word == "w") return MPI_MODE_WRONLY | MPI_MODE_CREATE;
    if (word == "r+") return MPI_MODE_RDWR;
    if (word == "w+") return MPI_MODE_RDWR | MPI_MODE_CREATE;
    if (word == "a") return MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_APPEND;
    fail("ERR_AMODE", "the mode '%s' is none of r, w, r+, w+, a", word.c_str());
}

inline void file_open(Call& c) {
    MPI_Comm comm = c.comm(3);
    std::string name = c.string(0);
    int mode = access_mode(c, 1);
    bool fresh = c.given(1) && mxIsChar(c.in[1]) && text_of(c.in[1])[0] == 'w';
    MPI_File file;
    check(MPI_File_open(comm, name.c_str(), mode, c.info(2), &file));
    check(MPI_File_set_errhandler(file, MPI_ERRORS_RETURN));
    if (fresh) {
        check(MPI_File_set_size(file, 0));
        arrive(comm);  // Intel MPI lets a rank go before the file is cut, and what it wrote then was lost
    }
    c.give_handle(0, files().add({file, name}));
}

inline void file_close(Call& c) {
    uint64_t handle = c.handle(0);
    File& file = files().get(handle);
    check(MPI_File_close(&file.value));
    files().remove(handle);
}

inline void file_delete(Call& c) { check(MPI_File_delete(c.string(0).c_str(), c.info(1))); }

inline void file_set_view(Call& c) {
    MPI_Datatype etype = c.given(2) ? c.type(2) : MPI_BYTE;
    MPI_Datatype filetype = c.given(3) ? c.type(3) : etype;
    std::string representation = c.given(4) ? c.string(4) : "native";
    if (etype == MPI_DATATYPE_NULL || filetype == MPI_DATATYPE_NULL) fail("ERR_TYPE", "a datatype was freed");
    check(MPI_File_set_view(c.file(0), MPI_Offset(c.whole(1)), etype, filetype, representation.c_str(), c.info(5)));
}

inline uint64_t known_type(MPI_Datatype type) {
    uint64_t known = 0;
    types().each([&](uint64_t handle, Datatype& one) {
        if (one.value == type) known = handle;
    });
    return known ? known : types().add({type, true});
}

inline void file_get_view(Call& c) {
    MPI_Offset displacement = 0;
    MPI_Datatype etype, filetype;
    char representation[MPI_MAX_DATAREP_STRING + 1] = "";
    check(MPI_File_get_view(c.file(0), &displacement, &etype, &filetype, representation));
    c.give(0, double(displacement));
    c.give_handle(1, known_type(etype));
    c.give_handle(2, known_type(filetype));
    c.give_text(3, representation);
}

inline Shape wanted_shape(const Call& c, int k) {
    int64_t count = c.whole(k);
    Code code = c.given(k + 1) ? code_named(c.string(k + 1).c_str()) : code_double;
    if (count < 0 || count > INT32_MAX) fail("ERR_COUNT", "a number of elements is from 0 to 2^31 - 1");
    return {code, false, {mwSize(count), 1}};
}

// Only what was read is returned: fewer elements at the end of the file.
inline mxArray* read_array(Shape shape, const Buffer& data, size_t bytes, Facts& facts) {
    shape.dims[0] = std::min(shape.count(), bytes / shape.element());
    if (shape.code == code_logical) {
        for (size_t k = 0; k < shape.count(); ++k) {
            if (data.data()[k] > 1) fail("damaged", "the file holds a logical that is neither true nor false");
        }
    }
    facts = Facts();
    facts.count = double(shape.count());
    facts.bytes = double(shape.bytes());
    return array_of(shape, data.data());
}

template <class Read>
void read_now(Call& c, int k, Read read) {
    Shape shape = wanted_shape(c, k);
    Buffer data(shape.bytes());
    MPI_Status status;
    Facts facts;
    check(read(data.data(), int(shape.count()), shape.type(), &status));
    c.give(0, read_array(shape, data, shape.count() ? bytes_of(status) : 0, facts));
    if (c.outputs > 1) give_status(c, 1, facts);
}

template <class Write>
void write_now(Call& c, int k, Write write) {
    const mxArray* x = c.array(k);
    Shape shape = shape_of(x);
    MPI_Status status;
    check(write(mxGetData(x), Plan::limited(shape.count()), shape.type(), &status));
    Facts facts;
    facts.count = double(shape.count());
    facts.bytes = shape.count() ? double(bytes_of(status)) : 0;
    if (c.outputs > 0) give_status(c, 0, facts);
}

template <class Read>
void read_later(Call& c, int k, Read read) {
    Shape shape = wanted_shape(c, k);
    Request r;
    r.what = c.row.name;
    r.buffer = Buffer(shape.bytes());
    check(read(r.buffer.data(), int(shape.count()), shape.type(), &r.value));
    r.result = [shape](Request& done, Facts& facts) {
        return read_array(shape, done.buffer, shape.count() ? bytes_of(done.status) : 0, facts);
    };
    c.give_handle(0, requests().add(std::move(r)));
}

template <class Write>
void write_later(Call& c, int k, Write write) {
    const mxArray* x = c.array(k);
    Shape shape = shape_of(x);
    Request r;
    r.what = c.row.name;
    r.second = Buffer(shape.bytes());
    if (shape.bytes()) std::memcpy(r.second.data(), mxGetData(x), shape.bytes());
    check(write(r.second.data(), Plan::limited(shape.count()), shape.type(), &r.value));
    c.give_handle(0, requests().add(std::move(r)));
}

inline MPI_Offset offset_of(const Call& c, int k) {
    int64_t offset = c.whole(k);
    if (offset < 0) fail("ERR_ARG", "argument %d (%s) must not be negative", k + 1, c.row.arguments[k]);
    return MPI_Offset(offset);
}

template <class Function>
void file_read_at(Call& c, Function f) {
    MPI_File file = c.file(0);
    MPI_Offset at = offset_of(c, 1);
    read_now(c, 2, [&](void* data, int n, MPI_Datatype type, MPI_Status* s) { return f(file, at, data, n, type, s); });
}
template <class Function>
void file_read(Call& c, Function f) {
    MPI_File file = c.file(0);
    read_now(c, 1, [&](void* data, int n, MPI_Datatype type, MPI_Status* s) { return f(file, data, n, type, s); });
}
template <class Function>
void file_write_at(Call& c, Function f) {
    MPI_File file = c.file(0);
    MPI_Offset at = offset_of(c, 1);
    write_now(c, 2, [&](const void* data, int n, MPI_Datatype type, MPI_Status* s) { return f(file, at, data, n, type, s); });
}
template <class Function>
void file_write(Call& c, Function f) {
    MPI_File file = c.file(0);
    write_now(c, 1, [&](const void* data, int n, MPI_Datatype type, MPI_Status* s) { return f(file, data, n, type, s); });
}
template <class Function>
void file_iread_at(Call& c, Function f) {
    MPI_File file = c.file(0);
    MPI_Offset at = offset_of(c, 1);
    read_later(c, 2, [&](void* data, int n, MPI_Datatype type, MPI_Request* r) { return f(file, at, data, n, type, r); });
}
template <class Function>
void file_iread(Call& c, Function f) {
    MPI_File file = c.file(0);
    read_later(c, 1, [&](void* data, int n, MPI_Datatype type, MPI_Request* r) { return f(file, data, n, type, r); });
}
template <class Function>
void file_iwrite_at(Call& c, Function f) {
    MPI_File file = c.file(0);
    MPI_Offset at = offset_of(c, 1);
    write_later(c, 2, [&](const void* data, int n, MPI_Datatype type, MPI_Request* r) { return f(file, at, data, n, type, r); });
}
template <class Function>
void file_iwrite(Call& c, Function f) {
    MPI_File file = c.file(0);
    write_later(c, 1, [&](const void* data, int n, MPI_Datatype type, MPI_Request* r) { return f(file, data, n, type, r); });
}

}  // namespace mexmpi
