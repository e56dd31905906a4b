// Put, get, accumulate and their kin, and the calls that end an epoch.
#pragma once
#include "window.hpp"

namespace mexmpi {

// What was sent must stay until the epoch ends: accesses without a request of their own are kept by the window.
inline std::list<Request>& kept_accesses() {
    static std::list<Request> list;
    return list;
}

// After a call that ends or flushes an epoch: its accesses are complete.
inline void win_sync(Call& c, int code) {
    check(code);
    MPI_Win win = MPI_WIN_NULL;
    for (int k = 0; k < c.inputs; ++k) {
        bool one_handle = mxIsUint64(c.in[k]) && mxGetNumberOfElements(c.in[k]) == 1;
        if (one_handle && *elements<uint64_t>(c.in[k]) >> 56 == kind_win) win = c.win(k);
    }
    requests().each([&](uint64_t, Request& r) {
        if (r.gated && r.win == win) r.gated = false;
    });
    kept_accesses().remove_if([&](const Request& r) { return r.win == win; });
}

inline void win_lock(Call& c) {
    int type = c.given(0) ? c.integer(0) : MPI_LOCK_SHARED;
    check(MPI_Win_lock(type, win_rank(c, 1, 3), c.integer(2, 0), c.win(3)));
}

// Unlock and flush complete only the accesses to their rank.
inline void win_sync_rank(Call& c, int (*function)(int, MPI_Win)) {
    int rank = win_rank(c, 0, 1);
    MPI_Win win = c.win(1);
    check(function(rank, win));
    requests().each([&](uint64_t, Request& r) {
        if (r.gated && r.win == win && r.peer == rank) r.gated = false;
    });
    kept_accesses().remove_if([&](const Request& r) { return r.win == win && r.peer == rank; });
}

inline void finish_access(Call& c, Request& r, bool with_request) {
    if (with_request) {
        c.give_handle(0, requests().add(std::move(r)));
    } else {
        kept_accesses().push_back(std::move(r));
    }
}

inline void win_put(Call& c, bool with_request) {
    const mxArray* x = c.array(0);
    int64_t count = int64_t(shape_of(x).count());
    Target t = target_of(c, 1, 3, count);
    origin_shape(c, 0, t);
    Request r = access_request(c, t, x, 0, with_request);
    MPI_Win win = t.window->value;
    int n = int(count);
    if (with_request) check(MPI_Rput(r.second.data(), n, t.type, t.rank, t.displacement, n, t.type, win, &r.value));
    else check(MPI_Put(r.second.data(), n, t.type, t.rank, t.displacement, n, t.type, win));
    finish_access(c, r, with_request);
}

inline void win_get(Call& c, bool with_request) {
    int64_t count = c.whole(0);
    Target t = target_of(c, 1, 3, count);
    Request r = access_request(c, t, nullptr, t.shape.bytes(), with_request);
    MPI_Win win = t.window->value;
    int n = int(count);
    if (with_request) check(MPI_Rget(r.buffer.data(), n, t.type, t.rank, t.displacement, n, t.type, win, &r.value));
    else check(MPI_Get(r.buffer.data(), n, t.type, t.rank, t.displacement, n, t.type, win));
    give_access(c, r, t.shape);
}

inline MPI_Op access_op(const Call& c, int k, const Shape& shape) {
    Operation& op = c.op(k);
    if (!op.predefined || op.pairs) fail("ERR_OP", "one-sided operations take MPI's own operations only");
    check_operation(op, shape);
    return op.value;
}

inline void win_accumulate(Call& c, bool with_request) {
    const mxArray* x = c.array(0);
    int64_t count = int64_t(shape_of(x).count());
    Target t = target_of(c, 1, 4, count);
    Shape shape = origin_shape(c, 0, t);
    MPI_Op op = access_op(c, 3, shape);
    if (op == MPI_NO_OP) fail("ERR_OP", "MPI_NO_OP reads only: use MPI_Get_accumulate");
    Request r = access_request(c, t, x, 0, with_request);
    MPI_Win win = t.window->value;
    int n = int(count);
    if (with_request) check(MPI_Raccumulate(r.second.data(), n, t.type, t.rank, t.displacement, n, t.type, op, win, &r.value));
    else check(MPI_Accumulate(r.second.data(), n, t.type, t.rank, t.displacement, n, t.type, op, win));
    finish_access(c, r, with_request);
}

inline void win_get_accumulate(Call& c, bool with_request) {
    const mxArray* x = c.array(0);
    int64_t count = int64_t(shape_of(x).count());
    Target t = target_of(c, 1, 4, count);
    MPI_Op op = access_op(c, 3, origin_shape(c, 0, t));
    Request r = access_request(c, t, x, t.shape.bytes(), with_request);
    MPI_Win win = t.window->value;
    int n = int(count);
    if (with_request) {
        check(MPI_Rget_accumulate(r.second.data(), n, t.type, r.buffer.data(), n, t.type, t.rank, t.displacement, n, t.type, op,
                                  win, &r.value));
    } else {
        check(MPI_Get_accumulate(r.second.data(), n, t.type, r.buffer.data(), n, t.type, t.rank, t.displacement, n, t.type, op,
                                 win));
    }
    give_access(c, r, t.shape);
}

inline void need_one(const Call& c, int k) {
    if (mxGetNumberOfElements(c.array(k)) == 1) return;
    fail("ERR_COUNT", "argument %d (%s) must be one element", k + 1, c.row.arguments[k]);
}

inline void fetch_and_op(Call& c) {
    need_one(c, 0);
    Target t = target_of(c, 1, 4, 1);
    MPI_Op op = access_op(c, 3, origin_shape(c, 0, t));
    Request r = access_request(c, t, c.array(0), t.shape.bytes(), false);
    check(MPI_Fetch_and_op(r.second.data(), r.buffer.data(), t.type, t.rank, t.displacement, op, t.window->value));
    give_access(c, r, t.shape);
}

inline void compare_and_swap(Call& c) {
    need_one(c, 0);
    need_one(c, 1);
    Target t = target_of(c, 2, 4, 1);
    Shape shape = origin_shape(c, 0, t);
    origin_shape(c, 1, t);
    if (shape.code <= code_single) fail("ERR_TYPE", "MPI compares and swaps whole numbers and logicals only");
    size_t element = shape.element();
    Request r = access_request(c, t, nullptr, element, false);
    r.second = Buffer(2 * element);
    std::memcpy(r.second.data(), mxGetData(c.array(0)), element);
    std::memcpy(r.second.data() + element, mxGetData(c.array(1)), element);
    check(MPI_Compare_and_swap(r.second.data(), r.second.data() + element, r.buffer.data(), t.type, t.rank, t.displacement,
                               t.window->value));
    give_access(c, r, t.shape);
}

}  // namespace mexmpi
