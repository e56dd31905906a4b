// Variables that are written in place, by name. The variable is un-shared first, so no other one ever changes with it.
#pragma once
#include "point.hpp"

namespace mexmpi {

inline bool is_identifier(const std::string& name) {
    if (name.empty() || name.size() > 63 || !(std::isalpha((unsigned char)name[0]) || name[0] == '_')) return false;
    for (char letter : name) {
        if (!std::isalnum((unsigned char)letter) && letter != '_') return false;
    }
    return true;
}

// What is assigned to the first element: of the same class, so that the array keeps its own; for a complex one with an
// imaginary part, for else Octave might narrow the whole array. Constants, for each name in a statement costs a microsecond.
inline const char* something_of(const Shape& shape) {
    if (shape.complex) return "(1)=1i;";
    return shape.code == code_logical ? "(1)=~0;" : shape.code == code_char ? "(1)=' ';" : "(1)=0;";
}

// Octave's pointer to a variable is one more that shares its memory, until it is given back; MATLAB's is the variable.
inline void give_back(const mxArray* variable) {
#ifndef MATLAB_MEX_FILE
    mxDestroyArray(const_cast<mxArray*>(variable));
#else
    (void)variable;
#endif
}

// A variable of the caller that nobody else shares, with the elements that it had. An assignment to its first element makes
// the interpreter un-share it, without a copy when nobody shares it; then that element is written back.
inline mxArray* unshared_variable(const Call& c, int k) {
    std::string name = c.string(k);
    if (!is_identifier(name)) {
        fail("badInput", "argument %d (%s) must be the name of a variable, in quotes; '%s' is none", k + 1,
             c.row.arguments[k], name.c_str());
    }
    const mxArray* before = mexGetVariablePtr("caller", name.c_str());
    if (!before) fail("badInput", "there is no variable '%s' to receive into", name.c_str());
    if (!is_plain(before)) {
        fail("badInput", "the variable '%s' must be a full numeric, logical or char array", name.c_str());
    }
    if (mxGetNumberOfElements(before) == 0) return const_cast<mxArray*>(before);
    Shape shape = shape_of(before);
    uint8_t first[16];
    std::memcpy(first, mxGetData(before), shape.element());
    give_back(before);
    mxArray* trouble = mexEvalStringWithTrap((name + something_of(shape)).c_str());
    const mxArray* after = trouble ? nullptr : mexGetVariablePtr("caller", name.c_str());
    if (!after || mxIsComplex(after) != shape.complex || code_of(mxGetClassID(after)) != shape.code) {
        fail("badInput", "the variable '%s' cannot be written", name.c_str());
    }
    std::memcpy(mxGetData(after), first, shape.element());
    return const_cast<mxArray*>(after);
}

inline MPI_Status receive_raw_into(const Call& c, mxArray* x, int source, int tag, MPI_Comm comm) {
    int count = fitting_count(c.type(4), c.whole(5, -1), shape_of(x).bytes(), "the variable");
    MPI_Status status;
    MPI_Request request;
    check(MPI_Irecv(mxGetData(x), count, c.type(4), source, tag, comm, &request));
    check(complete(&request, &status));
    return status;
}

// Wait until a message is there, without taking it: when it does not fit it is left for MPI_Recv.
inline MPI_Status await_message(int source, int tag, MPI_Comm comm) {
    MPI_Status status;
    if (!must_look_after()) {
        check(MPI_Probe(source, tag, comm, &status));
        return status;
    }
    for (int found = 0;;) {
        progress();
        check(MPI_Iprobe(source, tag, comm, &found, &status));
        if (found) return status;
        sched_yield();
    }
}

inline void check_fits(const std::string& name, const Shape& shape, size_t bytes) {
    Header mine{};
    mine.form = form_plain;
    mine.code = shape.code;
    mine.complex = shape.complex;
    mine.payload = shape.bytes();
    if (header_bytes + mine.payload + tail_of(mine) != bytes) {
        fail("ERR_TRUNCATE", "a message of %zu bytes does not fit '%s', a %s array of %zu bytes; it is left for MPI_Recv",
             bytes > header_bytes ? bytes - header_bytes : bytes, name.c_str(), facts_of(shape.code).name, shape.bytes());
    }
}

inline void check_same_kind(const std::string& name, const Shape& shape, const Header& header, size_t bytes) {
    check_header(header, bytes);
    bool same = header.form == form_plain && header.code == shape.code && (header.complex != 0) == shape.complex;
    if (!same) {
        fail("badInput", "a message of another class (%s) has come into '%s', whose contents are lost",
             header.form == form_plain ? facts_of(Code(header.code)).name : "encoded", name.c_str());
    }
}

inline void receive_into(Call& c) {
    MPI_Comm comm = c.comm(3);
    int source = c.source(1, comm), tag = c.recv_tag(2);
    std::string name = c.string(0);
    if (c.given(4)) {
        MPI_Status status = receive_raw_into(c, unshared_variable(c, 0), source, tag, comm);
        Facts facts = facts_of(status);
        if (source != MPI_PROC_NULL) facts.bytes = double(bytes_of(status));
        MPI_Count size = 0;
        check(MPI_Type_size_x(c.type(4), &size));
        facts.count = size ? facts.bytes / double(size) : 0;
        if (c.outputs > 0) give_status(c, 0, facts);
        return;
    }
    mxArray* x = unshared_variable(c, 0);  // first: a wrong name must not wait for a message
    MPI_Status status = await_message(source, tag, comm);
    Facts facts = facts_of(status);
    if (source != MPI_PROC_NULL) {
        Shape shape = shape_of(x);
        size_t bytes = bytes_of(status);
        check_fits(name, shape, bytes);
        Header header{};
        uint8_t tail[8];
        Parts parts;
        parts.add(&header, header_bytes);
        parts.add(mxGetData(x), shape.bytes());
        parts.add(tail, bytes - header_bytes - shape.bytes());
        check(MPI_Recv(MPI_BOTTOM, 1, parts.commit(), status.MPI_SOURCE, status.MPI_TAG, comm, &status));
        check_same_kind(name, shape, header, bytes);
        describe(facts, header);
    }
    if (c.outputs > 0) give_status(c, 0, facts);
}

}  // namespace mexmpi
