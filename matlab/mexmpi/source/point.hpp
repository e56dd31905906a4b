// Point-to-point: values by header and payload, raw data by a datatype.
#pragma once
#include "completion.hpp"

namespace mexmpi {

using SendFunction = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm);
using IsendFunction = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

uint64_t add_send(Call& c, IsendFunction isend, bool persistent);
void detach(uint64_t handle);

// Call a function of MPI with the message as one piece of memory, or as pieces where they lie.
template <class Use>
int with_message(const Outgoing& message, Use use) {
    if (message.bytes() <= small_bytes + header_bytes) {
        uint8_t copy[small_bytes + header_bytes];
        message.write(copy);
        return use(copy, int(message.bytes()), MPI_BYTE);
    }
    static const uint8_t zeros[8] = {};
    Parts parts;
    parts.add(&message.header, header_bytes);
    parts.add(message.data, message.header.payload);
    parts.add(zeros, message.tail);
    return use(MPI_BOTTOM, 1, parts.commit());
}

// The raw elements of an array as count elements of a datatype; refused when they would reach outside of the array.
struct Raw {
    void* data;
    int count;
    MPI_Datatype type;
};

inline int fitting_count(MPI_Datatype type, int64_t wanted, size_t bytes, const char* what) {
    MPI_Count lower = 0, extent = 0, true_lower = 0, true_extent = 0;
    if (type == MPI_DATATYPE_NULL) fail("ERR_TYPE", "this datatype was freed");
    check(MPI_Type_get_extent_x(type, &lower, &extent));
    check(MPI_Type_get_true_extent_x(type, &true_lower, &true_extent));
    int64_t room = int64_t(bytes) - true_lower - true_extent;
    int64_t most = true_extent == 0 ? (wanted < 0 ? 0 : wanted) : room < 0 ? 0 : extent > 0 ? room / extent + 1 : 1;
    int64_t count = wanted < 0 ? most : wanted;
    if (true_lower < 0 || extent < 0 || count > most || count > INT32_MAX) {
        fail("ERR_COUNT", "%lld elements of this datatype do not lie within the %zu bytes of %s", (long long)count, bytes,
             what);
    }
    return int(count);
}

inline Raw raw_of(const Call& c, int k, int type_argument) {
    const mxArray* x = c.array(k);
    MPI_Datatype type = c.type(type_argument);
    int64_t wanted = c.whole(type_argument + 1, -1);
    int count = fitting_count(type, wanted, shape_of(x).bytes(), c.row.arguments[k]);
    return {mxGetData(x), count, type};
}

// A blocking send that looks after posted receives, so that "Irecv, Send, Wait" on both sides ends.
inline IsendFunction begun_by(SendFunction send_) {
    if (send_ == MPI_Ssend) return MPI_Issend;
    if (send_ == MPI_Rsend) return MPI_Irsend;
    return MPI_Isend;
}

inline bool is_self(MPI_Comm comm, int rank) {
    int me = -1, inter = 0;
    check(MPI_Comm_test_inter(comm, &inter));
    check(MPI_Comm_rank(comm, &me));
    return !inter && me == rank;
}

// A copy goes on by itself: the sender would wait for a receive that cannot come.
inline void send_to_self(Call& c, int dest, int tag, MPI_Comm comm) {
    if (!c.given(4)) {
        detach(add_send(c, MPI_Isend, false));
        return;
    }
    Raw raw = raw_of(c, 0, 4);
    Request r;
    r.what = c.row.name;
    r.buffer = Buffer(shape_of(c.in[0]).bytes());
    if (r.buffer.size()) std::memcpy(r.buffer.data(), raw.data, r.buffer.size());
    check(MPI_Isend(r.buffer.data(), raw.count, raw.type, dest, tag, comm, &r.value));
    detached_requests().push_back(std::move(r));
}

inline Buffer& attached() {
    static Buffer buffer;
    return buffer;
}

// Open MPI 4 loses count of its messages when a buffered send is larger than the buffer, so it is not asked.
inline void check_attached(size_t bytes) {
    if (bytes + MPI_BSEND_OVERHEAD > attached().size()) {
        fail("ERR_BUFFER", "a message of %zu bytes needs a buffer of %zu (MPI_Buffer_attach), there are %zu", bytes,
             bytes + MPI_BSEND_OVERHEAD, attached().size());
    }
}

inline void send(Call& c, SendFunction function) {
    MPI_Comm comm = c.comm(3);
    int dest = c.rank(1, comm), tag = c.send_tag(2);
    if (function == MPI_Bsend) check_attached(c.given(4) ? shape_of(c.array(0)).bytes() : outgoing(c.value(0)).bytes());
    if (function != MPI_Bsend && function != MPI_Ssend && is_self(comm, dest)) {
        send_to_self(c, dest, tag, comm);
        return;
    }
    auto use = [&](const void* data, int count, MPI_Datatype type) {
        if (!must_look_after() || function == MPI_Bsend) return function(data, count, type, dest, tag, comm);
        MPI_Request request;
        int code = begun_by(function)(data, count, type, dest, tag, comm, &request);
        return code == MPI_SUCCESS ? complete(&request, MPI_STATUS_IGNORE) : code;
    };
    if (c.given(4)) {
        Raw raw = raw_of(c, 0, 4);
        check(use(raw.data, raw.count, raw.type));
    } else {
        check(with_message(outgoing(c.value(0)), use));
    }
}

// Take hold of the next message; what an earlier posted receive has a right to goes there first.
inline MPI_Message match(int source, int tag, MPI_Comm comm, MPI_Status* status) {
    MPI_Message message;
    if (!must_look_after()) {
        check(MPI_Mprobe(source, tag, comm, &message, status));
        return message;
    }
    for (int found = 0;;) {
        progress();
        check(MPI_Improbe(source, tag, comm, &found, &message, status));
        if (found && !hand_over(message, comm, *status)) return message;
        if (!found) sched_yield();
    }
}

inline void drop(MPI_Message message) {
    MPI_Status status;
    MPI_Mrecv(nullptr, 0, MPI_BYTE, &message, &status);  // truncated: that is how a message is thrown away
}

inline mxArray* receive_small(MPI_Message message, size_t bytes, Header& header) {
    alignas(16) uint8_t place[small_bytes + header_bytes + 8];
    MPI_Status status;
    check(MPI_Mrecv(place, int(bytes), MPI_BYTE, &message, &status));
    std::memcpy(&header, place, header_bytes);
    check_header(header, bytes);
    return value_of(header, place + header_bytes);
}

// An array of doubles of the interpreter's own, which it can take over without a copy.
inline mxArray* column_of_doubles(size_t count) {
    mxArray* arguments[2] = {mxCreateDoubleScalar(double(count)), mxCreateDoubleScalar(1)};
    mxArray* made = interpreter_result("zeros", arguments[0], arguments[1]);
    mxDestroyArray(arguments[0]);
    mxDestroyArray(arguments[1]);
    if (!made || !mxIsDouble(made) || mxGetNumberOfElements(made) != count) {
        fail("noMemory", "there is no memory for an array of %zu doubles; the message is lost", count);
    }
    return made;
}

inline mxArray* with_dims(mxArray* column, const Dims& dims) {
    if (dims.size() == 2 && dims[1] == 1) return column;
    mxArray* sizes = row_of(std::vector<double>(dims.begin(), dims.end()));
    mxArray* made = interpreter_result("reshape", column, sizes);
    mxDestroyArray(sizes);
    mxDestroyArray(column);
    if (!made) fail("internal", "the interpreter could not shape an array");
    return made;
}

inline void receive_parts(MPI_Message message, Header& header, void* payload, size_t bytes) {
    Parts parts;
    parts.add(&header, header_bytes);
    parts.add(payload, bytes);
    MPI_Datatype type = parts.commit();
    MPI_Status status;
    check(MPI_Mrecv(MPI_BOTTOM, 1, type, &message, &status));
}

inline mxArray* receive_doubles(MPI_Message message, size_t payload, Header& header) {
    mxArray* column = nullptr;
    try {
        column = column_of_doubles(payload / 8);
    } catch (...) {
        drop(message);
        throw;
    }
    receive_parts(message, header, mxGetData(column), payload);
    check_header(header, header_bytes + payload);
    return with_dims(column, shape_of(header).dims);
}

inline mxArray* receive_large(MPI_Message message, size_t rest, Header& header) {
    void* probe = std::malloc(rest + 8);  // the interpreter's own allocation does not come back when it fails
    if (!probe) {
        drop(message);
        fail("noMemory", "there is no memory for a message of %zu bytes, which is lost", rest);
    }
    std::free(probe);
    void* data = mxMalloc(rest + 8);
    receive_parts(message, header, data, rest);
    try {
        check_header(header, header_bytes + rest);
        bool plain = header.form == form_plain && header.code != code_logical && header.code != code_char;
        if (plain) {
            Shape shape = shape_of(header);
            if (!would_be_narrowed(shape, data)) return array_owning(shape, data);
        }
        mxArray* made = value_of(header, static_cast<uint8_t*>(data));
        mxFree(data);
        return made;
    } catch (...) {
        mxFree(data);
        throw;
    }
}

inline mxArray* receive_matched(MPI_Message message, size_t bytes, Header& header) {
    if (bytes <= small_bytes + header_bytes) return receive_small(message, bytes, header);
    size_t rest = bytes - header_bytes;
    if (bytes % 8 == 0 && rest >= in_place_bytes) return receive_doubles(message, rest, header);
    return receive_large(message, rest, header);
}

inline void give_received(Call& c, MPI_Message message, const MPI_Status& status, size_t bytes) {
    Facts facts = facts_of(status);
    if (message == MPI_MESSAGE_NO_PROC) {
        MPI_Status none;
        check(MPI_Mrecv(nullptr, 0, MPI_BYTE, &message, &none));
        c.give(0, nothing());
    } else {
        Header header{};
        c.give(0, receive_matched(message, bytes, header));
        if (c.outputs > 1) describe(facts, header);
    }
    if (c.outputs > 1) give_status(c, 1, facts);
}

inline void receive(Call& c) {
    MPI_Comm comm = c.comm(2);
    int source = c.source(0, comm), tag = c.recv_tag(1);
    MPI_Status status;
    MPI_Message message = match(source, tag, comm, &status);
    give_received(c, message, status, message == MPI_MESSAGE_NO_PROC ? 0 : bytes_of(status));
}

}  // namespace mexmpi
