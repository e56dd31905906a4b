// Operations that have begun: what they hold until they are complete, and how a receive of unknown length waits.
//
// MPI_Irecv without a length has no buffer to give to MPI yet. It stands in a list, is matched by probes in the order of
// posting, and every blocking call of this toolbox looks after the list while it waits.
#pragma once
#include <sched.h>

#include <functional>
#include <list>

#include "status.hpp"

namespace mexmpi {

struct Request {
    MPI_Request value = MPI_REQUEST_NULL;
    const char* what = "";
    int peer = MPI_PROC_NULL, tag = 0;
    bool waiting = false;     // for a message to be matched
    bool persistent = false;
    bool collective = false;  // of the persistent ones
    bool active = true;
    bool gated = false;       // one-sided: not before the epoch ends
    bool cancelled = false;
    bool cancelling = false;  // MPI_Cancel was called; else Open MPI leaves this part of a file's status unset
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Win win = MPI_WIN_NULL;
    Buffer buffer, second;
    size_t length = 0;  // of the message that buffer is for
    MPI_Status status{};
    std::function<mxArray*(Request&, Facts&)> result;  // what MPI_Wait gives; none: []
    std::function<void(const mxArray*)> renew;         // new data for a persistent operation
    std::vector<int> counts[4];                        // arrays that MPI reads until the operation is complete
    std::vector<MPI_Datatype> types[2];
};

inline Table<Request>& requests() {
    static Table<Request> table(kind_request, "ERR_REQUEST");
    return table;
}

inline std::list<uint64_t>& waiting_requests() {
    static std::list<uint64_t> list;
    return list;
}

inline std::list<Request>& detached_requests() {
    static std::list<Request> list;
    return list;
}

inline void begin_matched(Request& r, MPI_Message message, const MPI_Status& status) {
    r.length = bytes_of(status);
    r.buffer = Buffer(r.length + 8);
    r.status = status;
    Parts parts;
    parts.add(r.buffer.data(), r.length);
    check(MPI_Imrecv(MPI_BOTTOM, 1, parts.commit(), &message, &r.value));
    r.waiting = false;
}

inline bool matches(const Request& r, MPI_Comm comm, const MPI_Status& status) {
    return r.comm == comm && (r.peer == MPI_ANY_SOURCE || r.peer == status.MPI_SOURCE) &&
           (r.tag == MPI_ANY_TAG || r.tag == status.MPI_TAG);
}

// A matched message belongs to the first receive that was posted for it. Gives whether it went to one of the list.
inline bool hand_over(MPI_Message message, MPI_Comm comm, const MPI_Status& status) {
    auto& list = waiting_requests();
    for (auto place = list.begin(); place != list.end(); ++place) {
        Request& r = requests().get(*place);
        if (!matches(r, comm, status)) continue;
        list.erase(place);
        begin_matched(r, message, status);
        return true;
    }
    return false;
}

// Let detached sends and unmatched receives go on.
inline void progress() {
    auto& list = waiting_requests();
    for (bool again = true; again && !list.empty();) {
        again = false;
        for (uint64_t handle : list) {
            Request& r = requests().get(handle);
            MPI_Message message;
            MPI_Status status;
            int found = 0;
            check(MPI_Improbe(r.peer, r.tag, r.comm, &found, &message, &status));
            if (found) {
                hand_over(message, r.comm, status);
                again = true;
                break;
            }
        }
    }
    auto& sends = detached_requests();
    for (auto place = sends.begin(); place != sends.end();) {
        int done = 0;
        check(MPI_Test(&place->value, &done, MPI_STATUS_IGNORE));
        place = done ? sends.erase(place) : std::next(place);
    }
}

inline bool must_look_after() { return !waiting_requests().empty(); }

// Wait for MPI's own request, looking after the list meanwhile.
inline int complete(MPI_Request* request, MPI_Status* status) {
    if (!must_look_after()) return MPI_Wait(request, status);
    for (int done = 0;;) {
        int code = MPI_Test(request, &done, status);
        if (code != MPI_SUCCESS || done) return code;
        progress();
        sched_yield();
    }
}

struct Outcome {
    mxArray* value = nullptr;
    Facts facts;
};

inline Outcome take_outcome(uint64_t handle) {
    Request& r = requests().get(handle);
    Outcome outcome;
    outcome.facts = facts_of(r.status);
    int cancelled = 0;
    if (r.cancelling) check(MPI_Test_cancelled(&r.status, &cancelled));
    r.cancelling = false;
    outcome.facts.cancelled = r.cancelled || cancelled;
    std::function<mxArray*(Request&, Facts&)> result = r.result;
    Request finished;
    if (r.persistent) {
        r.active = false;
        if (result && !outcome.facts.cancelled) outcome.value = result(r, outcome.facts);
    } else {
        finished = std::move(r);
        requests().remove(handle);
        if (result && !outcome.facts.cancelled) outcome.value = result(finished, outcome.facts);
    }
    if (!outcome.value) outcome.value = nothing();
    return outcome;
}

inline void forget(uint64_t handle) {
    Request& r = requests().get(handle);
    if (r.persistent) {
        r.active = false;
    } else {
        requests().remove(handle);
    }
}

// Is it complete? An error of MPI ends the operation.
inline bool poll(uint64_t handle) {
    Request& r = requests().get(handle);
    if (r.gated) return false;
    progress();
    if (r.waiting) return r.cancelled;
    int done = 0;
    int code = MPI_Test(&r.value, &done, &r.status);
    if (code != MPI_SUCCESS) forget(handle);
    check(code);
    return done;
}

inline void wait_until_complete(uint64_t handle) {
    Request& r = requests().get(handle);
    if (r.gated) {
        fail("ERR_RMA_SYNC", "this %s is not complete before its epoch: call MPI_Win_fence, MPI_Win_flush or "
             "MPI_Win_unlock first", r.what);
    }
    while (r.waiting && !r.cancelled) {
        progress();
        if (r.waiting) sched_yield();
    }
    if (r.waiting) return;
    int code = complete(&r.value, &r.status);
    if (code != MPI_SUCCESS) forget(handle);
    check(code);
}

// An active operation, or null: a handle of 0, one that is complete already, a prepared one that was not started.
inline Request* active_request(uint64_t handle) {
    Request* found = handle == 0 ? nullptr : requests().find(handle);
    return found && found->active ? found : nullptr;
}

inline std::vector<uint64_t> request_list(const Call& c, int k) {
    const mxArray* x = c.value(k);
    size_t count = mxGetNumberOfElements(x);
    if (count == 0) return {};
    if (!mxIsUint64(x)) {
        fail("badInput", "argument %d (%s) must be requests, not %s", k + 1, c.row.arguments[k], mxGetClassName(x));
    }
    const uint64_t* handles = static_cast<const uint64_t*>(mxGetData(x));
    for (size_t j = 0; j < count; ++j) {
        if (handles[j]) requests().find(handles[j]);
        for (size_t i = 0; i < j && handles[j]; ++i) {
            if (handles[i] == handles[j]) fail("ERR_REQUEST", "the same request stands twice in the list");
        }
    }
    return std::vector<uint64_t>(handles, handles + count);
}

}  // namespace mexmpi
