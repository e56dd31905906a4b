// Beginning and end: MPI_Init with the right launcher, MPI_Finalize with what was left open, and the end of an interpreter
// that calls neither.
#pragma once
#include <dlfcn.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <fstream>

#include "access.hpp"
#include "exchange.hpp"

namespace mexmpi {

struct Life {
    bool initialised = false, finalised = false;
    pid_t process = 0;
    int rank = 0, size = 1;
};

inline Life& life() {
    static Life state;
    return state;
}

inline long number_in(const char* variable) {
    const char* text = std::getenv(variable);
    return text ? std::atol(text) : 0;
}

inline std::string library_name() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
    int length = 0;
    MPI_Get_library_version(text, &length);
    std::string line(text);
    std::string::size_type end = line.find_first_of(",\n");
    std::string name = line.substr(0, end == std::string::npos ? line.size() : end);
    for (char& letter : name) letter = letter == '\t' ? ' ' : letter;
    return name;
}

struct Launcher {
    const char* name;
    long ranks;
};

inline Launcher launcher() {
    long open_mpi = number_in("OMPI_COMM_WORLD_SIZE"), hydra = number_in("PMI_SIZE");
    if (open_mpi) return {"Open MPI", open_mpi};
    if (std::getenv("I_MPI_HYDRA_BOOTSTRAP") || std::getenv("I_MPI_MPIRUN")) return {"Intel MPI", hydra};
    if (hydra) return {"MPICH (or another that speaks PMI)", hydra};
    return {"", number_in("SLURM_STEP_NUM_TASKS")};
}

[[noreturn]] inline void refuse_launcher(const Launcher& by) {
    fail("wrongLauncher",
         "this process was started as one of %ld by the launcher of %s, but mexmpi is built for %s. Start it with that MPI's "
         "mpiexec, or call mexmpi_use with the name of the other MPI", by.ranks, by.name, library_name().c_str());
}

// Before MPI_Init: a launcher of another family is refused by name. After it: a size that is not the launcher's.
inline void check_launcher_before() {
#ifdef OPEN_MPI
    const bool own = std::getenv("OMPI_COMM_WORLD_SIZE") || std::getenv("PMIX_RANK");
#else
    const bool own = number_in("PMI_SIZE") || std::getenv("PMI_FD") || !std::getenv("OMPI_COMM_WORLD_SIZE");
#endif
    Launcher by = launcher();
    if (by.ranks > 1 && !own) refuse_launcher(by);
}

void end_with_process(int status, void*);

inline void stay_loaded() {
    Dl_info facts;
    if (dladdr(reinterpret_cast<void*>(&stay_loaded), &facts) && facts.dli_fname) {
        dlopen(facts.dli_fname, RTLD_NOW | RTLD_NODELETE);  // a "clear all" must not unload what MPI calls back
    }
}

// MPICH keeps the name of the memory that the ranks of a host share until MPI_Finalize, which a killed job does not reach.
// Nobody opens it by that name once MPI_Init has returned on every rank.
inline void forget_shared_memory() {
#if defined(MPICH_VERSION) && defined(__linux__)
    if (MPI_Barrier(MPI_COMM_WORLD) != MPI_SUCCESS) return;
    static const char prefix[] = "/dev/shm/mpich_shm_";
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        std::string::size_type at = line.find(prefix);
        bool gone = line.find(" (deleted)") != std::string::npos;
        if (at != std::string::npos && !gone) unlink(line.c_str() + at);
    }
#endif
}

// Memory of arrays that were freed stays with the process for the next ones: to fetch it anew from the system costs two to
// three times as much as to fill it. A user's own settings (MALLOC_TRIM_THRESHOLD_) hold.
inline void keep_memory() {
#ifdef __GLIBC__
    if (std::getenv("MALLOC_TRIM_THRESHOLD_")) return;
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    mallopt(M_TOP_PAD, 16 << 20);
#endif
}

inline void initialise(Call& c, int with_threads) {
    int provided = MPI_THREAD_SINGLE, already = 0;
    if (life().finalised) fail("finalized", "MPI_Finalize was called, and MPI cannot be started again in the same process");
    if (life().initialised) fail("alreadyInitialized", "MPI_Init was called already");
    MPI_Initialized(&already);
    if (already) fail("alreadyInitialized", "something else in this process has started MPI already");
    check_launcher_before();
    int wanted = with_threads < 0 ? MPI_THREAD_SINGLE : c.integer(0, 0);
    if (wanted < MPI_THREAD_SINGLE || wanted > MPI_THREAD_MULTIPLE) fail("badInput", "a level of threads is from 0 to 3");
    stay_loaded();
    keep_memory();
    mexLock();
    check(MPI_Init_thread(nullptr, nullptr, wanted, &provided));
    Life& state = life();
    state.initialised = true;
    state.process = getpid();
    make_start_objects();
    check(MPI_Comm_rank(MPI_COMM_WORLD, &state.rank));
    check(MPI_Comm_size(MPI_COMM_WORLD, &state.size));
    on_exit(end_with_process, nullptr);
    Launcher by = launcher();
    if (by.ranks > 1 && state.size == 1) {
        MPI_Finalize();
        state.finalised = true;
        refuse_launcher(by);
    }
    MPI_Comm parent = MPI_COMM_NULL;
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) check(MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN));
    forget_shared_memory();
    if (with_threads >= 0) c.give(0, double(provided));
}

inline void say(const char* format, ...) {
    char text[2400];
    va_list rest;
    va_start(rest, format);
    std::vsnprintf(text, sizeof text, format, rest);
    va_end(rest);
    std::fprintf(stderr, "mexmpi: rank %d of %d: %s\n", life().rank, life().size, text);
    std::fflush(stderr);
}

// Operations that the program has not completed are told, then ended: receives are cancelled, sends have a second.
inline void tell_leaks() {
    requests().each([](uint64_t, Request& r) {
        if (r.persistent ? !r.active : false) {
            if (r.value != MPI_REQUEST_NULL) MPI_Request_free(&r.value);
            return;
        }
        char with[60] = "";
        if (r.peer >= 0) std::snprintf(with, sizeof with, " (rank %d, tag %d)", r.peer, r.tag);
        say("MPI_%s%s was never completed by MPI_Wait or MPI_Test", r.what, with);
        if (r.waiting) return;
        if (r.comm != MPI_COMM_NULL && r.length == 0 && r.value != MPI_REQUEST_NULL) MPI_Cancel(&r.value);
    });
    double until = MPI_Wtime() + 1;
    bool pending = true;
    while (pending && MPI_Wtime() < until) {
        pending = false;
        requests().each([&](uint64_t, Request& r) {
            int done = 1;
            if (r.value != MPI_REQUEST_NULL && !r.persistent) MPI_Test(&r.value, &done, MPI_STATUS_IGNORE);
            pending = pending || !done;
        });
        for (Request& r : detached_requests()) {
            int done = 1;
            MPI_Test(&r.value, &done, MPI_STATUS_IGNORE);
            pending = pending || !done;
        }
        sched_yield();
    }
}

inline void release_start_objects() {
    comms().each([](uint64_t, Comm& comm) {
        if (comm.shadow != MPI_COMM_NULL) MPI_Comm_free(&comm.shadow);
    });
    MPI_Type_free(&pair_type());
}

inline void finalise(Call&) {
    Life& state = life();
    waiting_requests().clear();
    tell_leaks();
    for (MPI_Request& request : kept_until_the_end()) MPI_Request_free(&request);
    release_start_objects();
    state.finalised = true;
    check(MPI_Finalize());
}

inline bool others_end_too(double limit_s) {
    MPI_Request request;
    if (MPI_Ibarrier(MPI_COMM_WORLD, &request) != MPI_SUCCESS) return false;
    double until = MPI_Wtime() + limit_s;
    for (int done = 0; MPI_Wtime() < until;) {
        if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
        if (done) return true;
        usleep(200);
    }
    return false;
}

// The interpreter ends while MPI is up. With an error, the job ends with it; without one, MPI_Finalize is made up for when
// the other ranks end as well.
inline void end_with_process(int status, void*) {
    Life& state = life();
    int finalised = 1;
    if (!state.initialised || state.finalised || getpid() != state.process) return;
    state.finalised = true;
    MPI_Finalized(&finalised);
    if (finalised) return;
    if (status != 0) {
        say("the interpreter has ended with status %d before MPI_Finalize; the job is ended", status);
        MPI_Abort(MPI_COMM_WORLD, status & 0xff);
    }
    say("the program has ended without MPI_Finalize");
    if (!others_end_too(2.5)) {
        say("the other ranks go on; the job is ended");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
}

inline void abort_job(Call& c) {
    int code = c.integer(0, 1);
    MPI_Comm comm = c.comm(1);
    say("MPI_Abort(%d)", code);
    life().finalised = true;
    MPI_Abort(comm, code);
}

inline void pcontrol(Call& c) { check(MPI_Pcontrol(c.integer(0))); }
inline void clock(Call& c, double (*function)()) { c.give(0, function()); }
inline void address_of(Call& c) {
    MPI_Aint address = 0;
    check(MPI_Get_address(mxGetData(c.array(0)), &address));
    c.out[0] = mxCreateNumericMatrix(1, 1, mxINT64_CLASS, mxREAL);
    *elements<int64_t>(c.out[0]) = address;
}
inline void address_sum(Call& c) { c.give(0, double(MPI_Aint_add(MPI_Aint(c.whole(0)), MPI_Aint(c.whole(1))))); }
inline void address_difference(Call& c) { c.give(0, double(MPI_Aint_diff(MPI_Aint(c.whole(0)), MPI_Aint(c.whole(1))))); }

}  // namespace mexmpi
