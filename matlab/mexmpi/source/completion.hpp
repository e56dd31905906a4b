// The Wait and Test families.
#pragma once
#include "request.hpp"

namespace mexmpi {

inline void give_outcome(Call& c, int k, const Outcome& outcome) {
    c.give(k, outcome.value);
    give_status(c, k + 1, outcome.facts);
}

inline Outcome no_outcome() { return {nothing(), Facts()}; }

inline void wait_one(Call& c) {
    uint64_t handle = c.handle(0);
    if (!active_request(handle)) {
        give_outcome(c, 0, no_outcome());
        return;
    }
    wait_until_complete(handle);
    give_outcome(c, 0, take_outcome(handle));
}

inline void test_one(Call& c) {
    uint64_t handle = c.handle(0);
    bool active = active_request(handle) != nullptr;
    bool done = !active || poll(handle);
    c.give_flag(0, done);
    if (c.outputs < 2 && !done) return;
    Outcome outcome = active && done ? take_outcome(handle) : no_outcome();
    if (c.outputs > 1) {
        give_outcome(c, 1, outcome);
    } else {
        mxDestroyArray(outcome.value);
    }
}

inline std::vector<size_t> active_places(const std::vector<uint64_t>& handles) {
    std::vector<size_t> places;
    for (size_t k = 0; k < handles.size(); ++k) {
        if (active_request(handles[k])) places.push_back(k);
    }
    return places;
}

inline void refuse_if_all_gated(const std::vector<uint64_t>& handles, const std::vector<size_t>& places) {
    for (size_t k : places) {
        if (!requests().get(handles[k]).gated) return;
    }
    wait_until_complete(handles[places[0]]);  // raises
}

inline void give_indexed(Call& c, int k, const std::vector<uint64_t>& handles, const size_t* place) {
    c.give(k, place ? mxCreateDoubleScalar(double(*place + 1)) : nothing());
    Outcome outcome = place ? take_outcome(handles[*place]) : no_outcome();
    if (k + 1 < c.outputs) {
        give_outcome(c, k + 1, outcome);
    } else {
        mxDestroyArray(outcome.value);
    }
}

inline void wait_any(Call& c) {
    std::vector<uint64_t> handles = request_list(c, 0);
    std::vector<size_t> places = active_places(handles);
    if (places.empty()) {
        give_indexed(c, 0, handles, nullptr);
        return;
    }
    refuse_if_all_gated(handles, places);
    for (;;) {
        for (size_t place : places) {
            if (poll(handles[place])) {
                give_indexed(c, 0, handles, &place);
                return;
            }
        }
        sched_yield();
    }
}

inline void test_any(Call& c) {
    std::vector<uint64_t> handles = request_list(c, 0);
    std::vector<size_t> places = active_places(handles);
    size_t found = 0;
    bool done = false;
    for (size_t place : places) {
        if (!done && poll(handles[place])) {
            found = place;
            done = true;
        }
    }
    c.give_flag(0, done || places.empty());
    if (c.outputs > 1) {
        give_indexed(c, 1, handles, done ? &found : nullptr);
    } else if (done) {
        mxDestroyArray(take_outcome(handles[found]).value);
    }
}

struct Outcomes {
    std::vector<mxArray*> values;
    std::vector<Facts> facts;

    void add(const Outcome& outcome) {
        values.push_back(outcome.value);
        facts.push_back(outcome.facts);
    }
    void give(Call& c, int k) {
        mxArray* cell = mxCreateCellMatrix(1, values.size());
        for (size_t j = 0; j < values.size(); ++j) mxSetCell(cell, j, values[j]);
        c.give(k, cell);
        if (k + 1 < c.outputs) c.out[k + 1] = status_array(facts);
    }
};

inline void give_all(Call& c, int k, const std::vector<uint64_t>& handles) {
    Outcomes all;
    for (uint64_t handle : handles) all.add(active_request(handle) ? take_outcome(handle) : no_outcome());
    all.give(c, k);
}

// Every operation is waited for, also when one has failed; then the first failure is raised.
inline void wait_all(Call& c) {
    std::vector<uint64_t> handles = request_list(c, 0);
    Failure first;
    for (uint64_t handle : handles) {
        try {
            if (active_request(handle)) wait_until_complete(handle);
        } catch (const Failure& failure) {
            if (first.id.empty()) first = failure;
        }
    }
    if (!first.id.empty()) throw first;
    give_all(c, 0, handles);
}

inline void test_all(Call& c) {
    std::vector<uint64_t> handles = request_list(c, 0);
    bool done = true;
    for (size_t place : active_places(handles)) {
        Request& r = requests().get(handles[place]);
        int flag = 0;
        if (!r.gated) progress();
        if (r.waiting || r.gated) {
            done = done && r.cancelled;
        } else {
            check(MPI_Request_get_status(r.value, &flag, MPI_STATUS_IGNORE));
            done = done && flag;
        }
    }
    c.give_flag(0, done);
    if (done) {
        for (size_t place : active_places(handles)) wait_until_complete(handles[place]);
    }
    if (c.outputs > 1 || done) {
        std::vector<uint64_t> complete_ones = done ? handles : std::vector<uint64_t>();
        Outcomes all;
        for (uint64_t handle : complete_ones) all.add(active_request(handle) ? take_outcome(handle) : no_outcome());
        if (c.outputs > 1) {
            all.give(c, 1);
        } else {
            for (mxArray* value : all.values) mxDestroyArray(value);
        }
    }
}

inline void give_some(Call& c, const std::vector<uint64_t>& handles, const std::vector<size_t>& places) {
    Outcomes some;
    std::vector<double> indices;
    for (size_t place : places) {
        indices.push_back(double(place + 1));
        some.add(take_outcome(handles[place]));
    }
    c.give(0, row_of(indices));
    if (c.outputs > 1) {
        some.give(c, 1);
    } else {
        for (mxArray* value : some.values) mxDestroyArray(value);
    }
}

inline std::vector<size_t> complete_places(const std::vector<uint64_t>& handles, const std::vector<size_t>& places) {
    std::vector<size_t> found;
    for (size_t place : places) {
        if (poll(handles[place])) found.push_back(place);
    }
    return found;
}

inline void wait_some(Call& c) {
    std::vector<uint64_t> handles = request_list(c, 0);
    std::vector<size_t> places = active_places(handles), found;
    if (!places.empty()) refuse_if_all_gated(handles, places);
    while (!places.empty() && found.empty()) {
        found = complete_places(handles, places);
        if (found.empty()) sched_yield();
    }
    give_some(c, handles, found);
}

inline void test_some(Call& c) {
    std::vector<uint64_t> handles = request_list(c, 0);
    give_some(c, handles, complete_places(handles, active_places(handles)));
}

// After a persistent collective was freed, Intel MPI 2021.18 crashes in a later wait for MPI_Rget (in C, too: it takes the
// freed object for another request and calls what it was to be asked by). There they are freed at the end.
inline std::vector<MPI_Request>& kept_until_the_end() {
    static std::vector<MPI_Request> list;
    return list;
}

inline void free_prepared(Request& r) {
#ifdef I_MPI_VERSION
    if (r.collective) {
        kept_until_the_end().push_back(r.value);
        return;
    }
#endif
    check(MPI_Request_free(&r.value));
}

// A send goes on until it is done; its data stay until then.
inline void request_free(Call& c) {
    uint64_t handle = c.handle(0);
    if (handle == 0) fail("ERR_REQUEST", "MPI_REQUEST_NULL cannot be freed");
    Request& r = requests().get(handle);
    if (r.waiting) {
        waiting_requests().remove(handle);
    } else if (r.value != MPI_REQUEST_NULL && r.active) {
        if (r.result) fail("ERR_REQUEST", "%s is under way and has a result: wait for it", r.what);
        r.active = true;
        detached_requests().push_back(std::move(r));
    } else if (r.value != MPI_REQUEST_NULL) {
        free_prepared(r);
    }
    requests().remove(handle);
}

inline void request_get_status(Call& c) {
    uint64_t handle = c.handle(0);
    Request* r = active_request(handle);
    int flag = 1;
    Facts facts;
    if (r) {
        if (!r->gated) progress();
        MPI_Status status = r->status;
        flag = r->waiting ? r->cancelled : 0;
        if (!r->waiting && !r->gated) check(MPI_Request_get_status(r->value, &flag, &status));
        facts = facts_of(status);
        if (flag && r->length >= header_bytes) facts.bytes = double(r->length - header_bytes);
    }
    c.give_flag(0, flag);
    give_status(c, 1, facts);
}

inline void cancel(Call& c) {
    uint64_t handle = c.handle(0);
    Request* r = active_request(handle);
    if (!r) fail("ERR_REQUEST", "this operation is not under way");
    progress();
    if (r->waiting) {
        r->cancelled = true;
        waiting_requests().remove(handle);
    } else if (r->value != MPI_REQUEST_NULL && r->comm != MPI_COMM_NULL && r->length == 0) {
        r->cancelling = true;
        check(MPI_Cancel(&r->value));
    }
}

}  // namespace mexmpi
