// The debug mode: before a collective call the ranks compare what they are about to call, on a communicator of its own.
#pragma once
#include <sched.h>

#include "request.hpp"

namespace mexmpi {

struct Debug {
    bool on = false;
    double limit_s = 20;
};

inline Debug& debug() {
    static Debug mode = [] {
        Debug made;
        const char* text = std::getenv("MEXMPI_DEBUG");
        made.on = text && *text && std::strcmp(text, "0") != 0;
        const char* limit = std::getenv("MEXMPI_DEBUG_SECONDS");
        if (limit && std::atof(limit) > 0) made.limit_s = std::atof(limit);
        return made;
    }();
    return mode;
}

struct Announced {  // what a rank is about to call; compared as bytes
    char name[40];
    int64_t root, count, code, op;
};

inline std::string sentence(const Announced& a, int rank) {
    char text[200];
    int length = std::snprintf(text, sizeof text, "rank %d: MPI_%s", rank, a.name);
    if (a.root >= 0) length += std::snprintf(text + length, sizeof text - length, ", root %lld", (long long)a.root);
    if (a.count >= 0) {
        std::snprintf(text + length, sizeof text - length, ", %lld elements of %s", (long long)a.count,
                      facts_of(Code(a.code)).name);
    }
    return text;
}

inline MPI_Comm shadow_of(Comm& comm) {
    if (comm.shadow == MPI_COMM_NULL) check(MPI_Comm_dup(comm.value, &comm.shadow));
    return comm.shadow;
}

// Every rank hears of every rank; the one that does not come is named by those that wait.
inline void await_all(MPI_Request* request, const Announced& mine, double limit_s) {
    double until = MPI_Wtime() + limit_s;
    for (int done = 0;;) {
        check(MPI_Test(request, &done, MPI_STATUS_IGNORE));
        if (done) return;
        if (MPI_Wtime() > until) {
            fail("collectiveMissing", "MPI_%s was called here, and not by all ranks within %.0f s", mine.name, limit_s);
        }
        progress();
        sched_yield();
    }
}

inline void compare_calls(Call& c, Comm& comm, int64_t root, const Shape* shape, int64_t op) {
    if (!debug().on) return;
    int size = 0, inter = 0;
    check(MPI_Comm_test_inter(comm.value, &inter));
    if (inter) return;
    Announced mine{};
    std::snprintf(mine.name, sizeof mine.name, "%s", c.row.name);
    mine.root = root;
    mine.count = shape ? int64_t(shape->count()) : -1;
    mine.code = shape ? shape->code : 0;
    mine.op = op;
    MPI_Comm shadow = shadow_of(comm);
    check(MPI_Comm_size(shadow, &size));
    std::vector<Announced> all(size);
    MPI_Request request;
    int bytes = int(sizeof mine);
    check(MPI_Iallgather(&mine, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, shadow, &request));
    await_all(&request, mine, debug().limit_s);
    bool same = true;
    std::string text;
    for (int rank = 0; rank < size; ++rank) {
        same = same && std::memcmp(&all[rank], &all[0], sizeof mine) == 0;
        text += (rank ? "; " : "") + sentence(all[rank], rank);
    }
    if (!same) fail("collectiveMismatch", "the ranks call different collectives: %s", text.c_str());
}

}  // namespace mexmpi
