// Point-to-point that is begun and completed later: Isend and its kin, Irecv, prepared operations, matched probes.
#pragma once
#include "inplace.hpp"

namespace mexmpi {

inline int begin_send(Request& r, IsendFunction function, int dest, int tag, MPI_Comm comm) {
    Parts parts;
    parts.add(r.buffer.data(), r.buffer.size());
    return function(MPI_BOTTOM, 1, parts.commit(), dest, tag, comm, &r.value);
}

inline Buffer message_copy(const mxArray* x) {
    Outgoing message = outgoing(x);
    Buffer copy(message.bytes());
    message.write(copy.data());
    return copy;
}

inline uint64_t add_send(Call& c, IsendFunction function, bool persistent) {
    MPI_Comm comm = c.comm(3);
    Request r;
    r.what = c.row.name;
    r.peer = c.rank(1, comm);
    r.tag = c.send_tag(2);
    r.persistent = persistent;
    r.active = !persistent;
    r.buffer = message_copy(c.value(0));
    if (function == MPI_Ibsend || function == MPI_Bsend_init) check_attached(r.buffer.size());
    check(begin_send(r, function, r.peer, r.tag, comm));
    return requests().add(std::move(r));
}

inline void detach(uint64_t handle) {
    detached_requests().push_back(std::move(requests().get(handle)));
    requests().remove(handle);
}

// Without an output nobody could wait for it: it goes on by itself, as after MPI_Request_free.
inline void isend(Call& c, IsendFunction function) {
    uint64_t handle = add_send(c, function, false);
    if (c.outputs > 0) {
        c.give_handle(0, handle);
    } else {
        detach(handle);
    }
}

inline void send_init(Call& c, IsendFunction function) {
    uint64_t handle = add_send(c, function, true);
    Request& r = requests().get(handle);
    uint8_t* data = r.buffer.data();  // stays where it is when the request moves
    size_t size = r.buffer.size();
    r.renew = [data, size](const mxArray* x) {
        Outgoing message = outgoing(x);
        if (message.bytes() != size) {
            fail("ERR_COUNT", "the new value needs %zu bytes, the prepared one %zu", message.bytes(), size);
        }
        message.write(data);
    };
    c.give_handle(0, handle);
}

inline mxArray* received(Request& r, Facts& facts) {
    size_t bytes = r.length;
    if (r.peer == MPI_PROC_NULL || facts.source == MPI_PROC_NULL) return nullptr;
    Header header{};
    std::memcpy(&header, r.buffer.data(), std::min(bytes, header_bytes));
    check_header(header, bytes);
    describe(facts, header);
    return value_of(header, r.buffer.data() + header_bytes);
}

inline mxArray* received_at_most(Request& r, Facts& facts) {
    r.length = bytes_of(r.status);
    mxArray* made = received(r, facts);
    r.length = 0;
    return made;
}

inline void irecv(Call& c) {
    Request r;
    r.what = c.row.name;
    r.comm = c.comm(2);
    r.peer = c.source(0, r.comm);
    r.tag = c.recv_tag(1);
    int64_t most = c.whole(3, -1);
    if (most > INT64_C(1) << 40 || (c.given(3) && most < 0)) fail("ERR_COUNT", "argument 4 (bytes) is no length");
    if (most < 0 && r.peer != MPI_PROC_NULL) {
        r.waiting = true;
        r.result = received;
        uint64_t handle = requests().add(std::move(r));
        waiting_requests().push_back(handle);
        c.give_handle(0, handle);
        progress();
        return;
    }
    r.buffer = Buffer(header_bytes + size_t(std::max<int64_t>(most, 0)) + 8);
    r.result = received_at_most;
    Parts parts;
    parts.add(r.buffer.data(), r.buffer.size());
    check(MPI_Irecv(MPI_BOTTOM, 1, parts.commit(), r.peer, r.tag, r.comm, &r.value));
    c.give_handle(0, requests().add(std::move(r)));
}

inline void recv_init(Call& c) {
    Request r;
    r.what = c.row.name;
    r.comm = c.comm(3);
    r.peer = c.source(1, r.comm);
    r.tag = c.recv_tag(2);
    r.persistent = true;
    r.active = false;
    r.buffer = Buffer(outgoing(c.value(0)).bytes() + 8);
    r.result = received_at_most;
    Parts parts;
    parts.add(r.buffer.data(), r.buffer.size());
    check(MPI_Recv_init(MPI_BOTTOM, 1, parts.commit(), r.peer, r.tag, r.comm, &r.value));
    c.give_handle(0, requests().add(std::move(r)));
}

inline Request& startable(uint64_t handle) {
    if (handle == 0) fail("ERR_REQUEST", "MPI_REQUEST_NULL cannot be started");
    Request& r = requests().get(handle);
    if (!r.persistent) fail("ERR_REQUEST", "%s was not prepared by one of the _init functions", r.what);
    if (r.active) fail("ERR_REQUEST", "%s is under way already: wait for it first", r.what);
    return r;
}

inline void start(Call& c) {
    Request& r = startable(c.handle(0));
    if (c.inputs > 1) {
        if (!r.renew) fail("badInput", "%s takes no data", r.what);
        r.renew(c.value(1));
    }
    check(MPI_Start(&r.value));
    r.active = true;
}

inline void start_all(Call& c) {
    std::vector<uint64_t> handles = request_list(c, 0);
    for (uint64_t handle : handles) startable(handle);
    std::vector<MPI_Request> values;
    for (uint64_t handle : handles) values.push_back(requests().get(handle).value);
    check(MPI_Startall(int(values.size()), values.data()));
    for (size_t k = 0; k < handles.size(); ++k) {
        requests().get(handles[k]).value = values[k];
        requests().get(handles[k]).active = true;
    }
}

inline void give_probed(Call& c, int k, const MPI_Status& status, bool found) {
    if (k != 0 && k >= c.outputs) return;
    Facts facts = found ? facts_of(status) : Facts();
    if (found && status.MPI_SOURCE != MPI_PROC_NULL) facts.bytes = facts.count = double(bytes_of(status));
    give_status(c, k, facts);
}

inline void probe(Call& c) {
    MPI_Comm comm = c.comm(2);
    give_probed(c, 0, await_message(c.source(0, comm), c.recv_tag(1), comm), true);
}

inline void iprobe(Call& c) {
    MPI_Comm comm = c.comm(2);
    MPI_Status status;
    int found = 0;
    progress();
    check(MPI_Iprobe(c.source(0, comm), c.recv_tag(1), comm, &found, &status));
    c.give_flag(0, found);
    give_probed(c, 1, status, found);
}

inline uint64_t hold(MPI_Message message, const MPI_Status& status) {
    size_t bytes = message == MPI_MESSAGE_NO_PROC ? 0 : bytes_of(status);
    return messages().add({message, bytes, status.MPI_SOURCE, status.MPI_TAG});
}

inline void mprobe(Call& c) {
    MPI_Comm comm = c.comm(2);
    MPI_Status status;
    MPI_Message message = match(c.source(0, comm), c.recv_tag(1), comm, &status);
    c.give_handle(0, hold(message, status));
    give_probed(c, 1, status, true);
}

inline void improbe(Call& c) {
    MPI_Comm comm = c.comm(2);
    MPI_Status status;
    MPI_Message message = MPI_MESSAGE_NULL;
    int found = 0;
    progress();
    check(MPI_Improbe(c.source(0, comm), c.recv_tag(1), comm, &found, &message, &status));
    if (found && message != MPI_MESSAGE_NO_PROC && hand_over(message, comm, status)) found = 0;
    c.give_flag(0, found);
    uint64_t handle = found ? hold(message, status) : 0;
    if (found || c.outputs > 1) {
        if (c.outputs > 1) {
            c.give_handle(1, handle);
        } else if (found) {
            Header header{};  // nobody could receive it any more
            mxDestroyArray(receive_matched(message, messages().get(handle).bytes, header));
            messages().remove(handle);
        }
    }
    give_probed(c, 2, status, found);
}

inline Message take_message(const Call& c) {
    uint64_t handle = c.handle(0);
    if (handle == 0) fail("ERR_MESSAGE", "MPI_Improbe has found no message");
    Message message = messages().get(handle);
    messages().remove(handle);
    return message;
}

inline void mrecv(Call& c) {
    Message message = take_message(c);
    MPI_Status status{};
    status.MPI_SOURCE = message.source;
    status.MPI_TAG = message.tag;
    give_received(c, message.value, status, message.bytes);
}

inline void imrecv(Call& c) {
    Message message = take_message(c);
    Request r;
    r.what = c.row.name;
    r.peer = message.source;
    r.tag = message.tag;
    r.result = received;
    r.length = message.bytes;
    r.buffer = Buffer(r.length + 8);
    Parts parts;
    parts.add(r.buffer.data(), r.length);
    if (message.value == MPI_MESSAGE_NO_PROC) {
        check(MPI_Imrecv(nullptr, 0, MPI_BYTE, &message.value, &r.value));
    } else {
        check(MPI_Imrecv(MPI_BOTTOM, 1, parts.commit(), &message.value, &r.value));
    }
    c.give_handle(0, requests().add(std::move(r)));
}

}  // namespace mexmpi
