// The collectives on arrays of MPI's own types. x has the same class and size on all ranks, unless counts say otherwise.
#pragma once
#include "collective.hpp"

namespace mexmpi {

inline Plan plan_of(Call& c, int k, Mode mode) {
    Plan plan;
    plan.read(c.array(k), mode);
    plan.out = plan.in;
    plan.in_type();
    return plan;
}

inline void barrier(Call& c, Mode mode) {
    Comm& object = c.comm_object(0);
    MPI_Comm comm = c.comm(0);
    compare_calls(c, object, -1, nullptr, 0);
    Plan plan;
    plan.has_result = false;
    if (mode == Mode::blocking && c.outputs == 0) {
        arrive(comm);
        return;
    }
    MEXMPI_RUN(c, plan, mode, info_argument(c, 1), MPI_Barrier, MPI_Ibarrier, MPI_Barrier_init, comm);
}

inline void bcast(Call& c, Mode mode) {
    MPI_Comm comm = c.comm(2);
    int root = c.root(1, comm);
    Plan plan = plan_of(c, 0, mode);
    plan.in_out = true;
    compare_calls(c, c.comm_object(2), root, &plan.in, 0);
    MEXMPI_RUN(c, plan, mode, info_argument(c, 3), MPI_Bcast, MPI_Ibcast, MPI_Bcast_init, to, plan.in_count(), plan.in_type(),
               root, comm);
}

inline void gather(Call& c, Mode mode) {
    MPI_Comm comm = c.comm(2);
    int root = c.root(1, comm);
    Place place = place_in(comm);
    Plan plan = plan_of(c, 0, mode);
    plan.has_result = place.rank == root;
    if (plan.has_result) plan.out = stacked(plan.in, place.size);
    compare_calls(c, c.comm_object(2), root, &plan.in, 0);
    MEXMPI_RUN(c, plan, mode, info_argument(c, 3), MPI_Gather, MPI_Igather, MPI_Gather_init, plan.data, plan.in_count(),
               plan.in_type(), to, plan.in_count(), plan.in_type(), root, comm);
}

inline void gatherv(Call& c, Mode mode) {
    MPI_Comm comm = c.comm(3);
    int root = c.root(2, comm);
    Place place = place_in(comm);
    Plan plan = plan_of(c, 0, mode);
    compare_calls(c, c.comm_object(3), root, nullptr, 0);
    std::vector<int> counts(place.size);
    int mine = plan.in_count();
    if (mode == Mode::blocking && !c.given(1)) {
        arrive(comm);
        check(MPI_Gather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, root, comm));
    } else if (place.rank == root) {
        counts = count_list(c, 1, place.size);
    }
    plan.has_result = place.rank == root;
    plan.request.counts[0] = counts;
    plan.request.counts[1] = offsets(counts);
    plan.out = vector_like(plan.in, plan.has_result ? total(counts) : 0);
    MEXMPI_RUN(c, plan, mode, info_argument(c, 4), MPI_Gatherv, MPI_Igatherv, MPI_Gatherv_init, plan.data, mine, plan.in_type(),
               to, plan.request.counts[0].data(), plan.request.counts[1].data(), plan.in_type(), root, comm);
    if (mode == Mode::blocking) c.give(1, plan.has_result ? counts_array(counts) : nothing());
}

inline void scatter(Call& c, Mode mode) {
    MPI_Comm comm = c.comm(2);
    int root = c.root(1, comm);
    Place place = place_in(comm);
    Plan plan = plan_of(c, 0, mode);
    if (place.rank == root) plan.out = block_of(plan.in, place.size, "x");
    compare_calls(c, c.comm_object(2), root, &plan.out, 0);
    int count = Plan::limited(plan.out.count());
    MEXMPI_RUN(c, plan, mode, info_argument(c, 3), MPI_Scatter, MPI_Iscatter, MPI_Scatter_init, plan.data, count,
               plan.in_type(), to, count, plan.in_type(), root, comm);
}

inline void scatterv(Call& c, Mode mode) {
    MPI_Comm comm = c.comm(3);
    int root = c.root(2, comm);
    Place place = place_in(comm);
    Plan plan = plan_of(c, 0, mode);
    compare_calls(c, c.comm_object(3), root, nullptr, 0);
    std::vector<int> counts(place.size);
    int mine = 0;
    int code[2] = {plan.in.code, plan.in.complex};
    if (mode == Mode::blocking) {
        if (place.rank == root) counts = count_list(c, 1, place.size);
        if (place.rank == root && total(counts) > plan.in.count()) counts.assign(place.size, -1);
        arrive(comm);
        check(MPI_Scatter(counts.data(), 1, MPI_INT, &mine, 1, MPI_INT, root, comm));
        check(MPI_Bcast(code, 2, MPI_INT, root, comm));
        if (mine < 0) fail("ERR_COUNT", "rank %d deals out more elements than it has", root);
    } else {
        counts = count_list(c, 1, place.size);
        mine = counts[place.rank];
        if (place.rank == root && total(counts) > plan.in.count()) fail("ERR_COUNT", "x has fewer elements than counts say");
    }
    Shape like = place.rank == root ? plan.in : Shape{Code(code[0]), code[1] != 0, {2, 1}};
    plan.out = vector_like(like, mine);
    plan.request.counts[0] = counts;
    plan.request.counts[1] = place.rank == root ? offsets(counts) : counts;
    MPI_Datatype type = like.type();
    MEXMPI_RUN(c, plan, mode, info_argument(c, 4), MPI_Scatterv, MPI_Iscatterv, MPI_Scatterv_init, plan.data,
               plan.request.counts[0].data(), plan.request.counts[1].data(), type, to, mine, type, root, comm);
}

inline void allgather(Call& c, Mode mode) {
    MPI_Comm comm = c.comm(1);
    Plan plan = plan_of(c, 0, mode);
    plan.out = stacked(plan.in, place_in(comm).size);
    compare_calls(c, c.comm_object(1), -1, &plan.in, 0);
    MEXMPI_RUN(c, plan, mode, info_argument(c, 2), MPI_Allgather, MPI_Iallgather, MPI_Allgather_init, plan.data,
               plan.in_count(), plan.in_type(), to, plan.in_count(), plan.in_type(), comm);
}

inline void allgatherv(Call& c, Mode mode) {
    MPI_Comm comm = c.comm(2);
    Place place = place_in(comm);
    Plan plan = plan_of(c, 0, mode);
    compare_calls(c, c.comm_object(2), -1, nullptr, 0);
    std::vector<int> counts(place.size);
    int mine = plan.in_count();
    if (mode == Mode::blocking && !c.given(1)) {
        arrive(comm);
        check(MPI_Allgather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, comm));
    } else {
        counts = count_list(c, 1, place.size);
        if (counts[place.rank] != mine) fail("ERR_COUNT", "x has %d elements, counts say %d", mine, counts[place.rank]);
    }
    plan.request.counts[0] = counts;
    plan.request.counts[1] = offsets(counts);
    plan.out = vector_like(plan.in, total(counts));
    MEXMPI_RUN(c, plan, mode, info_argument(c, 3), MPI_Allgatherv, MPI_Iallgatherv, MPI_Allgatherv_init, plan.data, mine,
               plan.in_type(), to, plan.request.counts[0].data(), plan.request.counts[1].data(), plan.in_type(), comm);
    if (mode == Mode::blocking) c.give(1, counts_array(counts));
}

inline void alltoall(Call& c, Mode mode) {
    MPI_Comm comm = c.comm(1);
    Plan plan = plan_of(c, 0, mode);
    int count = Plan::limited(block_of(plan.in, place_in(comm).size, "x").count());
    compare_calls(c, c.comm_object(1), -1, &plan.in, 0);
    MEXMPI_RUN(c, plan, mode, info_argument(c, 2), MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init, plan.data, count,
               plan.in_type(), to, count, plan.in_type(), comm);
}

inline void plan_exchange(Plan& plan, const std::vector<int>& sent, const std::vector<int>& received) {
    if (total(sent) != plan.in.count()) {
        fail("ERR_COUNT", "x has %zu elements, sendcounts say %zu", plan.in.count(), total(sent));
    }
    plan.out = vector_like(plan.in, total(received));
    plan.request.counts[0] = sent;
    plan.request.counts[1] = offsets(sent);
    plan.request.counts[2] = received;
    plan.request.counts[3] = offsets(received);
}

inline void alltoallv(Call& c, Mode mode) {
    MPI_Comm comm = c.comm(3);
    Place place = place_in(comm);
    Plan plan = plan_of(c, 0, mode);
    compare_calls(c, c.comm_object(3), -1, nullptr, 0);
    std::vector<int> sent = count_list(c, 1, place.size), received(place.size);
    if (mode == Mode::blocking && !c.given(2)) {
        arrive(comm);
        check(MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm));
    } else {
        received = count_list(c, 2, place.size);
    }
    plan_exchange(plan, sent, received);
    auto& n = plan.request.counts;
    MEXMPI_RUN(c, plan, mode, info_argument(c, 4), MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init, plan.data, n[0].data(),
               n[1].data(), plan.in_type(), to, n[2].data(), n[3].data(), plan.in_type(), comm);
    if (mode == Mode::blocking) c.give(1, counts_array(received));
}

struct Piecewise {  // counts, displacements in bytes and types, one for each rank, within an array of so many bytes
    std::vector<int> counts, displacements;
    std::vector<MPI_Datatype> types;
};

inline Piecewise piecewise(const Call& c, int k, size_t ranks, size_t bytes) {
    Piecewise found{count_list(c, k, ranks), c.integers(k + 1), {}};
    const mxArray* x = c.value(k + 2);
    if (!mxIsUint64(x) || mxGetNumberOfElements(x) != ranks || found.displacements.size() != ranks) {
        fail("ERR_COUNT", "arguments %d to %d need %zu elements each, one for each rank", k + 1, k + 3, ranks);
    }
    for (size_t j = 0; j < ranks; ++j) {
        MPI_Datatype type = types().get(elements<uint64_t>(x)[j]).value;
        found.types.push_back(type);
        int at = found.displacements[j];
        if (at < 0 || size_t(at) > bytes) fail("ERR_COUNT", "displacement %d lies outside of the array", at);
        fitting_count(type, found.counts[j], bytes - at, "the array behind its displacement");
    }
    return found;
}

inline void alltoallw(Call& c, Mode mode) {
    MPI_Comm comm = c.comm(8);
    size_t ranks = place_in(comm).size;
    Plan plan = plan_of(c, 0, mode);
    const mxArray* y = c.array(4);
    plan.out = shape_of(y);
    Piecewise from = piecewise(c, 1, ranks, plan.in.bytes()), to_ = piecewise(c, 5, ranks, plan.out.bytes());
    auto& r = plan.request;
    r.counts[0] = from.counts;
    r.counts[1] = from.displacements;
    r.counts[2] = to_.counts;
    r.counts[3] = to_.displacements;
    r.types[0] = from.types;
    r.types[1] = to_.types;
    if (mode == Mode::blocking) {
        arrive(comm);
        mxArray* made = empty_array(plan.out);
        if (plan.out.bytes()) std::memcpy(mxGetData(made), mxGetData(y), plan.out.bytes());
        check(MPI_Alltoallw(plan.data, r.counts[0].data(), r.counts[1].data(), r.types[0].data(), mxGetData(made),
                            r.counts[2].data(), r.counts[3].data(), r.types[1].data(), comm));
        c.give(0, widened(made, plan.out));
        return;
    }
    const void* before = mxGetData(y);
    auto begin = [&](void* to, MPI_Request* request) {
        if (plan.out.bytes()) std::memcpy(to, before, plan.out.bytes());
        return MPI_Ialltoallw(plan.data, r.counts[0].data(), r.counts[1].data(), r.types[0].data(), to, r.counts[2].data(),
                              r.counts[3].data(), r.types[1].data(), comm, request);
    };
    run_later(c, plan, mode, begin, begin);
}

}  // namespace mexmpi
