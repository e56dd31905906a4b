// The reductions.
#pragma once
#include "collectives.hpp"
#include "inplace.hpp"

namespace mexmpi {

struct Reduction {
    Plan plan;
    MPI_Op op;
    MPI_Datatype type;
    int count;
};

inline Reduction reduction_of(Call& c, int op_argument, Mode mode) {
    Operation& op = c.op(op_argument);
    Reduction made{plan_of(c, 0, mode), op.value, MPI_DATATYPE_NULL, 0};
    Plan& plan = made.plan;
    check_operation(op, plan.in);
    made.type = plan.in_type();
    made.count = plan.in_count();
    if (op.pairs) {
        if (plan.in.code != code_double || plan.in.complex || plan.in.dims[0] != 2) {
            fail("ERR_OP", "maxloc and minloc need a real double array of two rows: values above their indices");
        }
        made.type = pair_type();
        made.count /= 2;
    }
    return made;
}

inline int64_t op_number(Call& c, int k) { return c.given(k) ? int64_t(c.op(k).value == MPI_SUM ? 0 : 1) : 0; }

inline void reduce(Call& c, Mode mode) {
    MPI_Comm comm = c.comm(3);
    int root = c.root(2, comm);
    Reduction r = reduction_of(c, 1, mode);
    Plan& plan = r.plan;
    plan.has_result = place_in(comm).rank == root;
    compare_calls(c, c.comm_object(3), root, &plan.in, op_number(c, 1));
    MEXMPI_RUN(c, plan, mode, info_argument(c, 4), MPI_Reduce, MPI_Ireduce, MPI_Reduce_init, plan.data, to, r.count, r.type,
               r.op, root, comm);
}

inline void allreduce(Call& c, Mode mode) {
    MPI_Comm comm = c.comm(2);
    Reduction r = reduction_of(c, 1, mode);
    Plan& plan = r.plan;
    compare_calls(c, c.comm_object(2), -1, &plan.in, op_number(c, 1));
    const void* from = plan.data;
    if (mode == Mode::blocking && large_doubles(plan.in)) {  // what MPI would copy first is copied as the result is made
        plan.begins_as = c.array(0);
        from = MPI_IN_PLACE;
    }
    MEXMPI_RUN(c, plan, mode, info_argument(c, 3), MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init, from, to, r.count, r.type,
               r.op, comm);
}

// The result goes into a variable that is there: no new array is made and filled first.
inline void allreduce_into(Call& c) {
    MPI_Comm comm = c.comm(3);
    mxArray* y = unshared_variable(c, 0);
    Shape shape = shape_of(y);
    Plan plan;
    plan.read(c.array(1), Mode::blocking);
    Operation& op = c.op(2);
    if (shape.code != plan.in.code || shape.complex != plan.in.complex || shape.count() != plan.in.count()) {
        fail("ERR_COUNT", "the variable '%s' must be of the class and size of x", c.string(0).c_str());
    }
    if (op.pairs) fail("ERR_OP", "maxloc and minloc are for MPI_Allreduce");
    check_operation(op, plan.in);
    compare_calls(c, c.comm_object(3), -1, &plan.in, op_number(c, 2));
    arrive(comm);
    check(MPI_Allreduce(plan.data, mxGetData(y), plan.in_count(), plan.in_type(), op.value, comm));
    check_operations();
}

inline void reduce_scatter(Call& c, Mode mode) {
    MPI_Comm comm = c.comm(3);
    Place place = place_in(comm);
    Reduction r = reduction_of(c, 2, mode);
    Plan& plan = r.plan;
    std::vector<int> counts = count_list(c, 1, place.size);
    if (total(counts) != size_t(r.count)) fail("ERR_COUNT", "x has %d elements, counts say %zu", r.count, total(counts));
    compare_calls(c, c.comm_object(3), -1, &plan.in, op_number(c, 2));
    plan.request.counts[0] = counts;
    bool pairs = r.type == pair_type();
    plan.out = vector_like(plan.in, counts[place.rank]);
    if (pairs) plan.out.dims = {2, mwSize(counts[place.rank])};
    MEXMPI_RUN(c, plan, mode, info_argument(c, 4), MPI_Reduce_scatter, MPI_Ireduce_scatter, MPI_Reduce_scatter_init, plan.data,
               to, plan.request.counts[0].data(), r.type, r.op, comm);
}

inline void reduce_scatter_block(Call& c, Mode mode) {
    MPI_Comm comm = c.comm(2);
    Reduction r = reduction_of(c, 1, mode);
    Plan& plan = r.plan;
    int size = place_in(comm).size;
    plan.out = block_of(plan.in, size, "x");
    if (r.count % size) fail("ERR_COUNT", "the pairs of x cannot be divided among %d", size);
    int count = r.count / size;
    compare_calls(c, c.comm_object(2), -1, &plan.in, op_number(c, 1));
    MEXMPI_RUN(c, plan, mode, info_argument(c, 3), MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block,
               MPI_Reduce_scatter_block_init, plan.data, to, count, r.type, r.op, comm);
}

inline void scan(Call& c, Mode mode) {
    MPI_Comm comm = c.comm(2);
    Reduction r = reduction_of(c, 1, mode);
    Plan& plan = r.plan;
    compare_calls(c, c.comm_object(2), -1, &plan.in, op_number(c, 1));
    MEXMPI_RUN(c, plan, mode, info_argument(c, 3), MPI_Scan, MPI_Iscan, MPI_Scan_init, plan.data, to, r.count, r.type, r.op,
               comm);
}

inline void exscan(Call& c, Mode mode) {
    MPI_Comm comm = c.comm(2);
    Reduction r = reduction_of(c, 1, mode);
    Plan& plan = r.plan;
    bool first = place_in(comm).rank == 0;
    compare_calls(c, c.comm_object(2), -1, &plan.in, op_number(c, 1));
    MEXMPI_RUN(c, plan, mode, info_argument(c, 3), MPI_Exscan, MPI_Iexscan, MPI_Exscan_init, plan.data, to, r.count, r.type,
               r.op, comm);
    if (!first) return;
    if (mode == Mode::blocking) {
        mxDestroyArray(c.out[0]);
        c.out[0] = nothing();
    } else {
        requests().get(*elements<uint64_t>(c.out[0])).result = nullptr;  // MPI leaves it undefined
    }
}

inline void reduce_local(Call& c) {
    Reduction r = reduction_of(c, 2, Mode::blocking);
    const mxArray* y = c.array(1);
    Shape shape = shape_of(y);
    if (shape.code != r.plan.in.code || shape.complex != r.plan.in.complex || shape.count() != r.plan.in.count()) {
        fail("ERR_COUNT", "x and y must be of the same class and size");
    }
    Buffer result(shape.bytes());
    if (shape.bytes()) std::memcpy(result.data(), mxGetData(y), shape.bytes());
    check(MPI_Reduce_local(r.plan.data, result.data(), r.count, r.type, r.op));
    check_operations();
    c.give(0, array_of(shape, result.data()));
}

struct Degrees {
    int in = 0, out = 0;
};

inline Degrees degrees_of(MPI_Comm comm) {
    int topology = MPI_UNDEFINED, dims = 0, weighted = 0, rank = 0;
    Degrees degrees;
    check(MPI_Topo_test(comm, &topology));
    check(MPI_Comm_rank(comm, &rank));
    if (topology == MPI_CART) {
        check(MPI_Cartdim_get(comm, &dims));
        degrees.in = degrees.out = 2 * dims;
    } else if (topology == MPI_GRAPH) {
        check(MPI_Graph_neighbors_count(comm, rank, &degrees.in));
        degrees.out = degrees.in;
    } else if (topology == MPI_DIST_GRAPH) {
        check(MPI_Dist_graph_neighbors_count(comm, &degrees.in, &degrees.out, &weighted));
    } else {
        fail("ERR_TOPOLOGY", "this communicator has no topology");
    }
    return degrees;
}

inline void neighbor_allgather(Call& c, Mode mode) {
    MPI_Comm comm = c.comm(1);
    Plan plan = plan_of(c, 0, mode);
    plan.out = stacked(plan.in, degrees_of(comm).in);
    plan.in_out = false;
    MEXMPI_RUN(c, plan, mode, info_argument(c, 2), MPI_Neighbor_allgather, MPI_Ineighbor_allgather,
               MPI_Neighbor_allgather_init, plan.data, plan.in_count(), plan.in_type(), to, plan.in_count(), plan.in_type(),
               comm);
}

inline void neighbor_alltoall(Call& c, Mode mode) {
    MPI_Comm comm = c.comm(1);
    Plan plan = plan_of(c, 0, mode);
    Degrees degrees = degrees_of(comm);
    Shape block = plan.in;
    if (degrees.out) block = block_of(plan.in, degrees.out, "x");
    plan.out = block;
    size_t last = block.dims.size();
    while (last > 1 && plan.in.dims[last - 1] == 1) --last;
    plan.out.dims[last - 1] = block.dims[last - 1] * degrees.in;
    int count = Plan::limited(block.count());
    MEXMPI_RUN(c, plan, mode, info_argument(c, 2), MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall, MPI_Neighbor_alltoall_init,
               plan.data, count, plan.in_type(), to, count, plan.in_type(), comm);
}


inline void neighbor_allgatherv(Call& c, Mode mode) {
    MPI_Comm comm = c.comm(2);
    Plan plan = plan_of(c, 0, mode);
    std::vector<int> counts = count_list(c, 1, degrees_of(comm).in);
    plan.request.counts[0] = counts;
    plan.request.counts[1] = offsets(counts);
    plan.out = vector_like(plan.in, total(counts));
    auto& n = plan.request.counts;
    MPI_Datatype type = plan.in_type();
    auto block = [&](void* to) {
        return MPI_Neighbor_allgatherv(plan.data, plan.in_count(), type, to, n[0].data(), n[1].data(), type, comm);
    };
    auto begin = [&](void* to, MPI_Request* r) {
        return MPI_Ineighbor_allgatherv(plan.data, plan.in_count(), type, to, n[0].data(), n[1].data(), type, comm, r);
    };
    if (mode == Mode::blocking) c.give(0, run_now(plan, comm, block));
    else run_later(c, plan, mode, begin, begin);
}

inline void neighbor_alltoallv(Call& c, Mode mode) {
    MPI_Comm comm = c.comm(3);
    Plan plan = plan_of(c, 0, mode);
    Degrees degrees = degrees_of(comm);
    plan_exchange(plan, count_list(c, 1, degrees.out), count_list(c, 2, degrees.in));
    auto& n = plan.request.counts;
    MPI_Datatype type = plan.in_type();
    auto block = [&](void* to) {
        return MPI_Neighbor_alltoallv(plan.data, n[0].data(), n[1].data(), type, to, n[2].data(), n[3].data(), type, comm);
    };
    auto begin = [&](void* to, MPI_Request* r) {
        return MPI_Ineighbor_alltoallv(plan.data, n[0].data(), n[1].data(), type, to, n[2].data(), n[3].data(), type, comm, r);
    };
    if (mode == Mode::blocking) c.give(0, run_now(plan, comm, block));
    else run_later(c, plan, mode, begin, begin);
}

}  // namespace mexmpi
