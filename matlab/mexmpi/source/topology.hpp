// Topologies and hints whose C functions want lengths first.
#pragma once
#include "collective.hpp"

namespace mexmpi {

inline void same_length(const Call& c, int k, int j) {
    if (mxGetNumberOfElements(c.value(k)) != mxGetNumberOfElements(c.value(j))) {
        fail("ERR_ARG", "arguments %d and %d (%s, %s) must have the same number of elements", k + 1, j + 1,
             c.row.arguments[k], c.row.arguments[j]);
    }
}

inline void need_topology(MPI_Comm comm, int wanted, const char* what) {
    int topology = MPI_UNDEFINED;
    check(MPI_Topo_test(comm, &topology));
    if (topology != wanted) fail("ERR_TOPOLOGY", "this communicator is no %s", what);
}

inline int grid_dims(MPI_Comm comm) {
    int dims = 0;
    need_topology(comm, MPI_CART, "grid");
    check(MPI_Cartdim_get(comm, &dims));
    return dims;
}

inline void grid_length(const Call& c, int comm, int k) {
    int dims = grid_dims(c.comm(comm));
    if (mxGetNumberOfElements(c.value(k)) != size_t(dims)) {
        fail("ERR_DIMS", "argument %d (%s) must have %d elements, one for each dimension", k + 1, c.row.arguments[k], dims);
    }
}

// The last element of index says how many edges there are; the libraries read that many.
inline void graph_edges(const Call& c, int index_argument, int edges_argument) {
    std::vector<int> index = c.integers(index_argument), edges = c.integers(edges_argument);
    size_t wanted = index.empty() ? 0 : size_t(std::max(index.back(), 0));
    int before = 0;
    for (int one : index) {
        if (one < before) fail("ERR_ARG", "index must not decrease");
        before = one;
    }
    if (edges.size() != wanted) fail("ERR_ARG", "index says %zu edges, edges has %zu", wanted, edges.size());
    for (int edge : edges) {
        if (edge < 0 || size_t(edge) >= index.size()) fail("ERR_ARG", "an edge goes to %d, which is no node", edge);
    }
}

inline void graph_get(Call& c) {
    MPI_Comm comm = c.comm(0);
    int nodes = 0, edges = 0;
    need_topology(comm, MPI_GRAPH, "graph");
    check(MPI_Graphdims_get(comm, &nodes, &edges));
    std::vector<int> index(nodes), targets(edges + 1);
    check(MPI_Graph_get(comm, nodes, edges, index.data(), targets.data()));
    targets.resize(edges);
    c.give(0, counts_array(index));
    c.give(1, counts_array(targets));
}

inline void graph_neighbors(Call& c) {
    MPI_Comm comm = c.comm(0);
    int rank = c.rank(1, comm), count = 0;
    need_topology(comm, MPI_GRAPH, "graph");
    check(MPI_Graph_neighbors_count(comm, rank, &count));
    std::vector<int> found(count + 1);
    check(MPI_Graph_neighbors(comm, rank, count, found.data()));
    found.resize(count);
    c.give(0, counts_array(found));
}

inline const int* weights_or(const std::vector<int>& weights, bool given) {
    return given ? weights.empty() ? MPI_WEIGHTS_EMPTY : weights.data() : MPI_UNWEIGHTED;
}

inline void check_ranks(const std::vector<int>& ranks, int size) {
    for (int rank : ranks) {
        if (rank < 0 || rank >= size) fail("ERR_RANK", "%d is no rank of this communicator (0 to %d)", rank, size - 1);
    }
}

inline void give_comm(Call& c, int k, MPI_Comm made) {
    if (made != MPI_COMM_NULL) {
        check(MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN));
        c.give_handle(k, comms().add({made}));
    } else {
        c.give_handle(k, start_objects().handles["COMM_NULL"]);
    }
}

inline void dist_graph_create(Call& c) {
    MPI_Comm comm = c.comm(0), made;
    std::vector<int> sources = c.integers(1), degrees = c.integers(2), destinations = c.integers(3), weights;
    if (c.given(4)) weights = c.integers(4);
    size_t edges = 0;
    for (int degree : degrees) {
        if (degree < 0) fail("ERR_ARG", "a degree cannot be negative");
        edges += degree;
    }
    if (sources.size() != degrees.size() || edges != destinations.size() || (c.given(4) && weights.size() != edges)) {
        fail("ERR_ARG", "sources and degrees, and destinations and weights, must have the same number of elements");
    }
    check_ranks(sources, peers_of(comm));
    check_ranks(destinations, peers_of(comm));
    int any[2] = {c.given(4), !c.given(4) && edges > 0}, all[2];
    check(MPI_Allreduce(any, all, 2, MPI_INT, MPI_MAX, comm));
    if (all[0] && all[1]) fail("ERR_ARG", "some ranks give weights and others do not");
    check(MPI_Dist_graph_create(comm, int(sources.size()), sources.data(), degrees.data(), destinations.data(),
                                weights_or(weights, all[0]), c.info(5), c.integer(6, 0), &made));
    give_comm(c, 0, made);
}

inline void dist_graph_create_adjacent(Call& c) {
    MPI_Comm comm = c.comm(0), made;
    std::vector<int> sources = c.integers(1), in = c.integers(2), destinations = c.integers(3), out = c.integers(4);
    bool weighted = !in.empty() || !out.empty();
    if (weighted && (in.size() != sources.size() || out.size() != destinations.size())) {
        fail("ERR_ARG", "give a weight for each edge, or [] for all");
    }
    check_ranks(sources, peers_of(comm));
    check_ranks(destinations, peers_of(comm));
    int any[2] = {weighted, !weighted && sources.size() + destinations.size() > 0}, all[2];
    check(MPI_Allreduce(any, all, 2, MPI_INT, MPI_MAX, comm));
    if (all[0] && all[1]) fail("ERR_ARG", "some ranks give weights and others do not");
    check(MPI_Dist_graph_create_adjacent(comm, int(sources.size()), sources.data(), weights_or(in, all[0]),
                                         int(destinations.size()), destinations.data(), weights_or(out, all[0]), c.info(5),
                                         c.integer(6, 0), &made));
    give_comm(c, 0, made);
}

inline void dist_graph_neighbors(Call& c) {
    MPI_Comm comm = c.comm(0);
    int in = 0, out = 0, weighted = 0;
    need_topology(comm, MPI_DIST_GRAPH, "distributed graph");
    check(MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted));
    std::vector<int> sources(in + 1), in_weights(in + 1), destinations(out + 1), out_weights(out + 1);
    check(MPI_Dist_graph_neighbors(comm, in, sources.data(), weighted ? in_weights.data() : MPI_UNWEIGHTED, out,
                                   destinations.data(), weighted ? out_weights.data() : MPI_UNWEIGHTED));
    sources.resize(in);
    in_weights.resize(weighted ? in : 0);
    destinations.resize(out);
    out_weights.resize(weighted ? out : 0);
    c.give(0, counts_array(sources));
    c.give(1, counts_array(in_weights));
    c.give(2, counts_array(destinations));
    c.give(3, counts_array(out_weights));
}

inline void info_get(Call& c) {
    MPI_Info info = c.info(0);
    std::string key = c.string(1);
    int length = 0, found = 0;
    if (info == MPI_INFO_NULL) fail("ERR_INFO", "MPI_INFO_NULL has no hints");
    check(MPI_Info_get_valuelen(info, key.c_str(), &length, &found));
    std::vector<char> text(length + 2);
    if (found) check(MPI_Info_get(info, key.c_str(), length, text.data(), &found));
    c.give_text(0, found ? text.data() : "");
    c.give_flag(1, found);
}

inline void comm_idup(Call& c) {
    MPI_Comm made;
    Request r;
    r.what = c.row.name;
    check(MPI_Comm_idup(c.comm(0), &made, &r.value));
    // The new communicator may be used only after MPI_Wait; its handle exists from now on.
    uint64_t handle = comms().add({MPI_COMM_NULL});
    struct Pending {
        MPI_Comm comm;
    };
    auto pending = std::make_shared<Pending>(Pending{made});
    (void)pending;
    comms().get(handle).value = made;
    c.give_handle(0, requests().add(std::move(r)));
    c.give_handle(1, handle);
}

}  // namespace mexmpi
