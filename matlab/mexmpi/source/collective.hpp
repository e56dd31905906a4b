// Collectives on arrays: one plan for the blocking, the non-blocking and the persistent form of each.
#pragma once
#include "debug.hpp"
#include "operation.hpp"

namespace mexmpi {

enum class Mode { blocking, nonblocking, persistent };

// What one collective call reads and writes. It lives in the request until the operation is complete.
struct Plan {
    Request request;
    Shape in, out;             // out: shape of the result on this rank
    const void* data = nullptr;
    bool has_result = true;
    bool in_out = false;       // the result replaces what was in the buffer (Bcast, Alltoallw)
    const mxArray* begins_as = nullptr;  // doubles that the result of a blocking call is a copy of when MPI is called
    Operation* op = nullptr;

    // Where the elements to be sent lie: the argument itself when the call blocks, else a copy.
    void read(const mxArray* x, Mode mode) {
        in = shape_of(x);
        data = mxGetData(x);
        if (mode == Mode::blocking) return;
        request.second = Buffer(in.bytes());
        if (in.bytes()) std::memcpy(request.second.data(), data, in.bytes());
        data = request.second.data();
    }
    int in_count() const { return limited(in.count()); }
    static int limited(size_t count) {
        if (count > INT32_MAX) fail("ERR_COUNT", "%zu elements are more than this collective takes (2^31 - 1)", count);
        return int(count);
    }
    MPI_Datatype in_type() const { return in.type(); }
};

inline MPI_Info info_argument(Call& c, int k) { return c.given(k) ? c.info(k) : MPI_INFO_NULL; }

inline mxArray* planned_result(const Shape& shape, Request& r) { return array_of(shape, r.buffer.data()); }

// Run the plan in one of three ways. `block`, `begin`, `prepare` call MPI with the receive buffer (and request, info).
template <class Begin, class Prepare>
void run_later(Call& c, Plan& plan, Mode mode, Begin begin, Prepare prepare) {
    Request& r = plan.request;
    r.what = c.row.name;
    r.persistent = r.collective = mode == Mode::persistent;
    r.active = mode == Mode::nonblocking;
    r.buffer = Buffer(plan.out.bytes() + 16);
    if (plan.in_out && plan.in.bytes()) std::memcpy(r.buffer.data(), plan.data, std::min(plan.in.bytes(), plan.out.bytes()));
    Shape shape = plan.out;
    if (plan.has_result) {
        r.result = [shape](Request& done, Facts& facts) {
            check_operations();
            facts = Facts();
            facts.count = double(shape.count());
            facts.bytes = double(shape.bytes());
            return planned_result(shape, done);
        };
    }
    uint8_t* source = plan.in_out ? r.buffer.data() : r.second.data();
    size_t bytes = plan.in.bytes();
    Code code = plan.in.code;
    if (r.persistent && plan.in.code != code_none) {
        r.renew = [source, bytes, code](const mxArray* x) {
            Shape given = shape_of(x);
            if (!is_plain(x) || given.code != code || given.bytes() != bytes) {
                fail("ERR_COUNT", "the new data must be of the class and size of the prepared ones");
            }
            if (bytes) std::memcpy(source, mxGetData(x), bytes);
        };
    }
    if (mode == Mode::nonblocking) {
        check(begin(r.buffer.data(), &r.value));
    } else {
        check(prepare(r.buffer.data(), &r.value));
    }
    c.give_handle(0, requests().add(std::move(r)));
}

// Wait until every rank is in this collective, looking after posted receives meanwhile: a sender that waits for one of them
// gets here only then. A blocking call of MPI does not look after them, and MPI does not match it with a non-blocking one
// of another rank, so what is called cannot depend on what this rank alone has posted.
inline void arrive(MPI_Comm comm) {
    MPI_Request request;
    check(MPI_Ibarrier(comm, &request));
    check(complete(&request, MPI_STATUS_IGNORE));
}

inline bool large_doubles(const Shape& shape) {
    return shape.code == code_double && !shape.complex && shape.bytes() >= in_place_bytes;
}

// A blocking call writes straight into the array that is returned: a large one of doubles is the interpreter's own.
inline mxArray* result_array(const Shape& shape) {
    return large_doubles(shape) ? with_dims(column_of_doubles(shape.count()), shape.dims) : empty_array(shape);
}

// A copy of doubles that is the interpreter's own and nobody else's, so that it can be given back without a further one.
// x - 0 is x, bit by bit, also for a negative zero.
inline mxArray* own_copy(const mxArray* x, const Shape& shape) {
    mxArray* nought = mxCreateDoubleScalar(0);
    mxArray* made = interpreter_result("minus", x, nought);
    mxDestroyArray(nought);
    if (!made || !mxIsDouble(made) || mxIsSparse(made) || mxGetNumberOfElements(made) != shape.count()) {
        fail("noMemory", "there is no memory for an array of %zu doubles", shape.count());
    }
    return made;
}

inline mxArray* widened(mxArray* made, const Shape& shape) {
    if (!would_be_narrowed(shape, mxGetData(made))) return made;
    mxArray* wide = complex_of_zero_parts(shape, mxGetData(made));
    mxDestroyArray(made);
    return wide;
}

template <class Block>
mxArray* run_now(Plan& plan, MPI_Comm comm, Block block) {
    arrive(comm);
    mxArray* made = !plan.has_result  ? nothing()
                    : plan.begins_as ? own_copy(plan.begins_as, plan.out)
                                     : result_array(plan.out);
    void* to = plan.has_result ? mxGetData(made) : nullptr;
    uint8_t spare[16];
    if (!to) to = spare;
    if (plan.in_out && plan.out.bytes()) std::memcpy(to, plan.data, plan.out.bytes());
    check(block(to));
    check_operations();
    return plan.has_result ? widened(made, plan.out) : made;
}

#if defined(HAVE_MPI_Barrier_init) && defined(HAVE_MPI_Neighbor_alltoall_init)
#define MEXMPI_PREPARED(call) (call)
#else
inline int no_persistent_collectives() {
    fail("unsupported", "the MPI underneath has no persistent collectives (MPI 4.0)");
}
#define MEXMPI_PREPARED(call) no_persistent_collectives()
#endif

// MEXMPI_RUN(Allreduce, Iallreduce, arguments...): `to` is the receive buffer.
#define MEXMPI_RUN(c, plan, mode, info, now_, later_, prepared_, ...)                                                 \
    do {                                                                                                              \
        auto begin_ = [&](void* to, MPI_Request* request) {                                                           \
            (void)to;                                                                                                 \
            return later_(__VA_ARGS__, request);                                                                      \
        };                                                                                                            \
        auto prepare_ = [&](void* to, MPI_Request* request) {                                                         \
            (void)to;                                                                                                 \
            (void)request;                                                                                            \
            return MEXMPI_PREPARED(prepared_(__VA_ARGS__, info, request));                                            \
        };                                                                                                            \
        auto block_ = [&](void* to) {                                                                                 \
            (void)to;                                                                                                 \
            return now_(__VA_ARGS__);                                                                                 \
        };                                                                                                            \
        if (mode == Mode::blocking) {                                                                                 \
            c.give(0, run_now(plan, comm, block_));                                                                   \
        } else {                                                                                                      \
            run_later(c, plan, mode, begin_, prepare_);                                                               \
        }                                                                                                             \
    } while (false)

// The shape of so many arrays stacked behind the last dimension that is not 1: n x 1 gives n x k, a number gives 1 x k.
inline Shape stacked(const Shape& shape, size_t copies) {
    Shape made = shape;
    while (!made.dims.empty() && made.dims.back() == 1) made.dims.pop_back();
    made.dims.push_back(copies);
    if (made.dims.size() == 1) made.dims.insert(made.dims.begin(), 1);
    return made;
}

// The shape of one of so many equal blocks along the last dimension that is not 1.
inline Shape block_of(const Shape& shape, size_t blocks, const char* what) {
    Shape made = shape;
    size_t last = made.dims.size();
    while (last > 1 && made.dims[last - 1] == 1) --last;
    if (blocks == 0 || made.dims[last - 1] % blocks != 0) {
        fail("ERR_COUNT", "the last dimension of %s, %zu, cannot be divided among %zu", what, size_t(made.dims[last - 1]),
             blocks);
    }
    made.dims[last - 1] /= blocks;
    if (made.dims.size() == 1) made.dims.push_back(1);
    return made;
}

inline Shape vector_like(const Shape& shape, size_t count) {
    bool row = shape.dims.size() == 2 && shape.dims[0] == 1 && shape.dims[1] != 1;
    return {shape.code, shape.complex, row ? Dims{1, mwSize(count)} : Dims{mwSize(count), 1}};
}

struct Place {  // of this process among those of a communicator
    int rank, size;
};

inline Place place_in(MPI_Comm comm) {
    Place place{};
    check(MPI_Comm_rank(comm, &place.rank));
    place.size = peers_of(comm);
    return place;
}

inline size_t total(const std::vector<int>& counts) {
    size_t sum = 0;
    for (int count : counts) sum += count;
    return sum;
}

inline std::vector<int> offsets(const std::vector<int>& counts) {
    std::vector<int> found(counts.size());
    size_t sum = 0;
    for (size_t k = 0; k < counts.size(); ++k) {
        found[k] = Plan::limited(sum);
        sum += counts[k];
    }
    Plan::limited(sum);
    return found;
}

inline std::vector<int> count_list(const Call& c, int k, size_t wanted) {
    std::vector<int> counts = c.integers(k);
    if (counts.size() != wanted) {
        fail("ERR_COUNT", "argument %d (%s) must have %zu elements, one for each rank", k + 1, c.row.arguments[k], wanted);
    }
    for (int count : counts) {
        if (count < 0) fail("ERR_COUNT", "argument %d (%s) must not be negative", k + 1, c.row.arguments[k]);
    }
    return counts;
}

inline mxArray* counts_array(const std::vector<int>& counts) {
    return row_of(std::vector<double>(counts.begin(), counts.end()));
}

}  // namespace mexmpi
