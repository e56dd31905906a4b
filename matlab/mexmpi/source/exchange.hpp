// Sendrecv, buffers of Bsend, packing.
#pragma once
#include "begun.hpp"

namespace mexmpi {

// The send goes on while this side receives, so that rings and pairs cannot deadlock at any size.
inline void sendrecv_value(Call& c, int dest, int sendtag, int source, int recvtag, MPI_Comm comm) {
    Outgoing message = outgoing(c.value(0));
    MPI_Request request;
    check(with_message(message, [&](const void* data, int count, MPI_Datatype type) {
        if (message.bytes() > small_bytes + header_bytes) return MPI_Isend(data, count, type, dest, sendtag, comm, &request);
        Request r;  // a small message lies in memory of its own until it is gone
        r.what = c.row.name;
        r.buffer = Buffer(message.bytes());
        message.write(r.buffer.data());
        int code = MPI_Isend(r.buffer.data(), count, type, dest, sendtag, comm, &r.value);
        request = MPI_REQUEST_NULL;
        if (code == MPI_SUCCESS) detached_requests().push_back(std::move(r));
        return code;
    }));
    MPI_Status status;
    MPI_Message incoming = match(source, recvtag, comm, &status);
    try {
        give_received(c, incoming, status, incoming == MPI_MESSAGE_NO_PROC ? 0 : bytes_of(status));
    } catch (...) {
        complete(&request, MPI_STATUS_IGNORE);
        throw;
    }
    check(complete(&request, MPI_STATUS_IGNORE));
    progress();
}

inline void sendrecv(Call& c) {
    MPI_Comm comm = c.comm(5);
    sendrecv_value(c, c.rank(1, comm), c.send_tag(2), c.source(3, comm), c.recv_tag(4), comm);
}

// Header and elements in one buffer, replaced by MPI itself.
inline void sendrecv_replace(Call& c) {
    MPI_Comm comm = c.comm(5);
    int dest = c.rank(1, comm), source = c.source(3, comm), sendtag = c.send_tag(2), recvtag = c.recv_tag(4);
    c.array(0);
    Buffer buffer = message_copy(c.value(0));
    Header before;
    std::memcpy(&before, buffer.data(), header_bytes);
    Parts parts;
    parts.add(buffer.data(), buffer.size());
    MPI_Status status;
    check(MPI_Sendrecv_replace(MPI_BOTTOM, 1, parts.commit(), dest, sendtag, source, recvtag, comm, &status));
    Facts facts = facts_of(status);
    if (source == MPI_PROC_NULL) {
        c.give(0, nothing());
    } else {
        c.give(0, value_of(buffer.data(), bytes_of(status)));
        describe(facts, before);
    }
    if (c.outputs > 1) give_status(c, 1, facts);
}

inline void buffer_attach(Call& c) {
    int64_t bytes = c.whole(0);
    if (bytes < 0 || bytes > INT32_MAX) fail("ERR_BUFFER", "a buffer has from 0 to 2^31 - 1 bytes");
    Buffer buffer{size_t(bytes)};
    check(MPI_Buffer_attach(buffer.data(), int(bytes)));
    attached() = std::move(buffer);
}

inline void buffer_detach(Call& c) {
    void* data = nullptr;
    int bytes = 0;
    check(MPI_Buffer_detach(&data, &bytes));
    attached() = Buffer();
    c.give(0, double(bytes));
}

inline mxArray* bytes_array(const uint8_t* first, size_t first_bytes, const uint8_t* second, size_t second_bytes) {
    mxArray* made = mxCreateNumericMatrix(1, first_bytes + second_bytes, mxUINT8_CLASS, mxREAL);
    uint8_t* to = static_cast<uint8_t*>(mxGetData(made));
    if (first_bytes) std::memcpy(to, first, first_bytes);
    if (second_bytes) std::memcpy(to + first_bytes, second, second_bytes);
    return made;
}

inline Reader packed_bytes(const Call& c, int k) {
    if (!c.given(k)) return {nullptr, nullptr};
    const mxArray* x = c.array(k);
    if (!mxIsUint8(x)) {
        fail("badInput", "argument %d (%s) must be bytes (uint8) as MPI_Pack returns them", k + 1, c.row.arguments[k]);
    }
    const uint8_t* data = static_cast<const uint8_t*>(mxGetData(x));
    return {data, data + mxGetNumberOfElements(x)};
}

inline void pack(Call& c) {
    MPI_Comm comm = c.comm(2);
    Reader before = packed_bytes(c, 1);
    Buffer message = message_copy(c.value(0));
    if (message.size() > INT32_MAX) fail("ERR_COUNT", "MPI_Pack takes at most 2^31 - 1 bytes");
    int room = 0, position = 0;
    check(MPI_Pack_size(int(message.size()), MPI_BYTE, comm, &room));
    Buffer packed{size_t(room)};
    check(MPI_Pack(message.data(), int(message.size()), MPI_BYTE, packed.data(), room, &position, comm));
    c.give(0, bytes_array(before.at, before.left(), packed.data(), position));
}

inline void unpack(Call& c) {
    MPI_Comm comm = c.comm(2);
    Reader in = packed_bytes(c, 0);
    int64_t place = c.whole(1, 0);
    if (place < 0 || size_t(place) > in.left() || in.left() > INT32_MAX) {
        fail("ERR_ARG", "there is no position %lld", (long long)place);
    }
    Header header{};
    int position = int(place), size = int(in.left());
    if (in.left() - place < header_bytes) fail("notAValue", "at this position no packed value begins");
    check(MPI_Unpack(in.at, size, &position, &header, int(header_bytes), MPI_BYTE, comm));
    if (header.magic != header_magic) fail("notAValue", "at this position no packed value begins");
    uint64_t rest = header.payload;
    if (rest > in.left() - position) fail("damaged", "the packed value is cut off");
    rest += header.form == form_plain || header.form == form_encoded ? tail_of(header) : 0;
    if (rest > in.left() - position) fail("damaged", "the packed value is cut off");
    check_header(header, header_bytes + rest);
    Buffer payload{size_t(rest)};
    check(MPI_Unpack(in.at, size, &position, payload.data(), int(rest), MPI_BYTE, comm));
    c.give(0, value_of(header, payload.data()));
    c.give(1, double(position));
}

inline void pack_size(Call& c) {
    size_t bytes = outgoing(c.value(0)).bytes();
    if (bytes > INT32_MAX) fail("ERR_COUNT", "MPI_Pack takes at most 2^31 - 1 bytes");
    int room = 0;
    check(MPI_Pack_size(int(bytes), MPI_BYTE, c.comm(1), &room));
    c.give(0, double(room));
}

inline int external_count(size_t count) {
    if (count > INT32_MAX) fail("ERR_COUNT", "at most 2^31 - 1 elements can be packed");
    return int(count);
}

inline void pack_external(Call& c) {
    const mxArray* x = c.array(0);
    Shape shape = shape_of(x);
    Reader before = packed_bytes(c, 1);
    int count = external_count(shape.count());
    MPI_Aint room = 0, position = 0;
    check(MPI_Pack_external_size("external32", count, shape.type(), &room));
    Buffer packed{size_t(room)};
    check(MPI_Pack_external("external32", mxGetData(x), count, shape.type(), packed.data(), room, &position));
    c.give(0, bytes_array(before.at, before.left(), packed.data(), position));
}

inline void unpack_external(Call& c) {
    Reader in = packed_bytes(c, 0);
    int64_t place = c.whole(1), count = c.whole(2);
    Code code = c.given(3) ? code_named(c.string(3).c_str()) : code_double;
    Shape shape{code, false, {mwSize(count < 0 ? 0 : count), 1}};
    MPI_Aint needed = 0, position = place;
    if (count < 0 || count > INT32_MAX) fail("ERR_COUNT", "a number of elements is from 0 to 2^31 - 1");
    check(MPI_Pack_external_size("external32", int(count), shape.type(), &needed));
    if (place < 0 || size_t(place) > in.left() || size_t(needed) > in.left() - place) {
        fail("ERR_TRUNCATE", "%lld elements do not lie behind position %lld", (long long)count, (long long)place);
    }
    mxArray* made = empty_array(shape);
    check(MPI_Unpack_external("external32", in.at, in.left(), &position, mxGetData(made), int(count), shape.type()));
    c.give(0, made);
    c.give(1, double(position));
}

inline void pack_external_size(Call& c) {
    Code code = c.given(1) ? code_named(c.string(1).c_str()) : code_double;
    MPI_Aint bytes = 0;
    if (c.integer(0) < 0) fail("ERR_COUNT", "a number of elements cannot be negative");
    check(MPI_Pack_external_size("external32", c.integer(0), type_of(code, false), &bytes));
    c.give(0, double(bytes));
}

}  // namespace mexmpi
