// One-sided communication. Sizes of all ranks' windows are exchanged when a window is made, so that every access is checked
// here against the memory that it would reach; the libraries do not do that and would end the process.
#pragma once
#include "collective.hpp"

namespace mexmpi {

struct Window {
    MPI_Win value = MPI_WIN_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    Code code = code_double;
    bool complex = false, shared = false, dynamic = false;
    void* memory = nullptr;  // of this rank
    bool owned = false;      // memory is ours, not MPI's
    std::vector<int64_t> counts;                  // elements of each rank's part
    std::vector<std::pair<Buffer, Shape>> attached;

    Shape shape(int64_t count) const { return {code, complex, {mwSize(count), 1}}; }
    size_t element() const { return shape(1).element(); }
    MPI_Datatype type() const { return shape(1).type(); }
};

inline Table<Window>& windows() {
    static Table<Window> table(kind_win, "ERR_WIN");
    return table;
}

inline MPI_Win Call::win(int k) const { return windows().get(handle(k)).value; }

struct AboutWindow {
    int64_t count, code, complex;
};

inline void finish_window(Call& c, Window& w, int64_t count) {
    check(MPI_Win_set_errhandler(w.value, MPI_ERRORS_RETURN));
    if (w.memory && count > 0 && !w.owned) std::memset(w.memory, 0, w.element() * count);
    AboutWindow mine{count, w.code, w.complex};
    std::vector<AboutWindow> all(place_in(w.comm).size);
    check(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, w.comm));
    bool same = true;
    for (const AboutWindow& one : all) {
        w.counts.push_back(one.count);
        same = same && one.code == mine.code && one.complex == mine.complex;
    }
    if (!same) {
        MPI_Win_free(&w.value);
        fail("ERR_WIN", "all ranks must give a window the same class");
    }
    c.give_handle(0, windows().add(std::move(w)));
}

inline Window new_window(Call& c, int comm) {
    Window w;
    check(MPI_Comm_dup(c.comm(comm), &w.comm));
    return w;
}

inline void win_create(Call& c) {
    const mxArray* x = c.array(0);
    Shape shape = shape_of(x);
    shape.type();
    Window w = new_window(c, 2);
    w.code = shape.code;
    w.complex = shape.complex;
    w.owned = true;
    check(MPI_Alloc_mem(MPI_Aint(shape.bytes() + 8), MPI_INFO_NULL, &w.memory));
    if (shape.bytes()) std::memcpy(w.memory, mxGetData(x), shape.bytes());
    check(MPI_Win_create(w.memory, MPI_Aint(shape.bytes()), int(w.element()), c.info(1), w.comm, &w.value));
    finish_window(c, w, int64_t(shape.count()));
}

inline void win_allocate(Call& c, bool shared) {
    int64_t count = c.whole(0);
    Code code = c.given(1) ? code_named(c.string(1).c_str()) : code_double;
    if (count < 0 || count > INT64_C(1) << 40) fail("ERR_SIZE", "a window has from 0 to 2^40 elements");
    Window w = new_window(c, 3);
    w.code = code;
    w.shared = shared;
    MPI_Aint bytes = MPI_Aint((w.element() * count + 63) / 64 * 64);  // MPICH 4.0 misplaces the parts of odd sizes
    auto allocate = shared ? MPI_Win_allocate_shared : MPI_Win_allocate;
    check(allocate(bytes, int(w.element()), c.info(2), w.comm, &w.memory, &w.value));
    finish_window(c, w, count);
    check(MPI_Barrier(windows().get(*elements<uint64_t>(c.out[0])).comm));
}

inline void win_create_dynamic(Call& c) {
    Window w = new_window(c, 1);
    w.dynamic = true;
    check(MPI_Win_create_dynamic(c.info(0), w.comm, &w.value));
    finish_window(c, w, 0);
}

// A region is what other ranks need to know of attached memory: address, elements, class.
inline void win_attach(Call& c) {
    Window& w = windows().get(c.handle(0));
    const mxArray* x = c.array(1);
    Shape shape = shape_of(x);
    if (!w.dynamic) fail("ERR_RMA_FLAVOR", "only a window of MPI_Win_create_dynamic takes further memory");
    if (shape.complex || shape.count() == 0) fail("badInput", "attach real arrays that are not empty");
    Buffer memory(shape.bytes());
    std::memcpy(memory.data(), mxGetData(x), shape.bytes());
    MPI_Aint address = 0;
    check(MPI_Win_attach(w.value, memory.data(), MPI_Aint(shape.bytes())));
    check(MPI_Get_address(memory.data(), &address));
    w.attached.emplace_back(std::move(memory), shape);
    mxArray* region = mxCreateNumericMatrix(1, 3, mxINT64_CLASS, mxREAL);
    elements<int64_t>(region)[0] = address;
    elements<int64_t>(region)[1] = int64_t(shape.count());
    elements<int64_t>(region)[2] = shape.code;
    c.give(0, region);
}

inline const int64_t* region_of(const Call& c, int k) {
    const mxArray* x = c.value(k);
    if (!mxIsInt64(x) || mxGetNumberOfElements(x) < 3) fail("badInput", "argument %d must be a region of MPI_Win_attach", k + 1);
    const int64_t* region = elements<int64_t>(x);
    if (region[1] < 0 || region[2] < code_double || region[2] > code_char) {
        fail("badInput", "this is no region of MPI_Win_attach");
    }
    return region;
}

inline void win_detach(Call& c) {
    Window& w = windows().get(c.handle(0));
    const int64_t* region = region_of(c, 1);
    for (size_t k = 0; k < w.attached.size(); ++k) {
        if (MPI_Aint(region[0]) != MPI_Aint(w.attached[k].first.data())) continue;
        check(MPI_Win_detach(w.value, w.attached[k].first.data()));
        w.attached.erase(w.attached.begin() + k);
        return;
    }
    fail("ERR_RMA_ATTACH", "this region is not attached here");
}

inline void win_free(Call& c) {
    uint64_t handle = c.handle(0);
    Window& w = windows().get(handle);
    check(MPI_Win_free(&w.value));
    if (w.owned) MPI_Free_mem(w.memory);
    check(MPI_Comm_free(&w.comm));
    windows().remove(handle);
}

inline int win_rank(const Call& c, int k, int win) {
    return c.rank(k, windows().get(c.handle(win)).comm);
}

inline void win_shared_query(Call& c) {
    Window& w = windows().get(c.handle(0));
    MPI_Aint bytes = 0;
    int unit = 0, rank = win_rank(c, 1, 0);
    void* memory = nullptr;
    if (!w.shared) fail("ERR_RMA_FLAVOR", "this window is not shared");
    check(MPI_Win_shared_query(w.value, rank, &bytes, &unit, &memory));
    c.give(0, rank < 0 ? double(bytes) : double(w.counts[rank]) * double(w.element()));
    c.give(1, double(unit));
}

inline void win_load(Call& c) {
    Window& w = windows().get(c.handle(0));
    Place place = place_in(w.comm);
    int rank = c.given(1) ? win_rank(c, 1, 0) : place.rank;
    void* memory = w.memory;
    if (w.dynamic) fail("ERR_RMA_FLAVOR", "a dynamic window has no memory of its own");
    if (rank != place.rank) {
        MPI_Aint bytes = 0;
        int unit = 0;
        if (!w.shared) fail("ERR_RMA_FLAVOR", "only a shared window can be read on other ranks: use MPI_Get");
        check(MPI_Win_shared_query(w.value, rank, &bytes, &unit, &memory));
    }
    c.give(0, array_of(w.shape(w.counts[rank]), memory));
}

inline void win_store(Call& c) {
    Window& w = windows().get(c.handle(0));
    const mxArray* x = c.array(1);
    Shape shape = shape_of(x);
    int64_t at = c.whole(2, 0), count = int64_t(shape.count());
    if (shape.code != w.code || shape.complex != w.complex) {
        fail("badInput", "x must be %s, as the window", facts_of(w.code).name);
    }
    if (w.dynamic || at < 0 || at > w.counts[place_in(w.comm).rank] - count) {
        fail("ERR_RMA_RANGE", "the elements do not lie within the window");
    }
    if (count) std::memcpy(static_cast<uint8_t*>(w.memory) + at * w.element(), mxGetData(x), shape.bytes());
}

// Where an access goes: the target, and its displacement in units of the window, checked against the target's size.
struct Target {
    Window* window;
    int rank;
    MPI_Aint displacement;
    MPI_Datatype type;
    Shape shape;
};

inline Target target_of(const Call& c, int rank, int win, int64_t count) {
    Window& w = windows().get(c.handle(win));
    Target target{&w, c.rank(rank, w.comm), 0, MPI_DATATYPE_NULL, w.shape(count)};
    int64_t room = 0, at = 0;
    if (w.dynamic) {
        const int64_t* region = region_of(c, rank + 1);
        const mxArray* x = c.value(rank + 1);
        target.shape = {Code(region[2]), false, {mwSize(count), 1}};
        at = mxGetNumberOfElements(x) > 3 ? region[3] : 0;
        room = region[1];
        target.displacement = MPI_Aint(region[0]) + at * MPI_Aint(target.shape.element());
    } else {
        at = c.whole(rank + 1, 0);
        room = target.rank >= 0 ? w.counts[target.rank] : INT64_MAX;
        target.displacement = MPI_Aint(at);
    }
    if (count < 0 || count > INT32_MAX || at < 0 || at > room - count) {
        fail("ERR_RMA_RANGE", "%lld elements at displacement %lld do not lie within the window of rank %d, of %lld elements",
             (long long)count, (long long)at, target.rank, (long long)room);
    }
    target.type = target.shape.type();
    return target;
}

inline Shape origin_shape(const Call& c, int k, const Target& target) {
    Shape shape = shape_of(c.array(k));
    if (shape.code != target.shape.code || shape.complex != target.shape.complex) {
        fail("badInput", "argument %d (%s) must be %s, as the window", k + 1, c.row.arguments[k],
             facts_of(target.shape.code).name);
    }
    return shape;
}

// A request for an access: it holds a copy of what is sent, and room for what comes.
inline Request access_request(Call& c, const Target& target, const mxArray* x, size_t bytes, bool with_request) {
    Request r;
    r.what = c.row.name;
    r.peer = target.rank;
    r.gated = !with_request;
    r.win = target.window->value;
    r.second = Buffer(x ? shape_of(x).bytes() : 0);
    if (x && r.second.size()) std::memcpy(r.second.data(), mxGetData(x), r.second.size());
    r.buffer = Buffer(bytes);
    return r;
}

inline void give_access(Call& c, Request& r, const Shape& shape) {
    r.result = [shape](Request& done, Facts& facts) {
        facts = Facts();
        facts.count = double(shape.count());
        facts.bytes = double(shape.bytes());
        return array_of(shape, done.buffer.data());
    };
    c.give_handle(0, requests().add(std::move(r)));
}

}  // namespace mexmpi
