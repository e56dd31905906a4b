// mexmpi: MPI from Octave and MATLAB. One MEX file stands under the name of every function; it looks up which it is called as.
#include <mpi.h>

#include <cctype>
#include <list>
#include <new>

#include "mexmpi_have.h"  // which functions the mpi.h of this build declares

#if defined(MPI_Aint_add) && !defined(HAVE_MPI_Aint_add)  // a macro in some versions
#define HAVE_MPI_Aint_add 1
#endif
#if defined(MPI_Aint_diff) && !defined(HAVE_MPI_Aint_diff)
#define HAVE_MPI_Aint_diff 1
#endif

#include "kinds.hpp"

namespace mexmpi {

using Body = void (*)(Call&);

struct Entry {
    Row row;
    Body body;
};

#include "generated/table.inc"

const Entry* search_entry(const char* name) {
    int low = 0, high = int(sizeof entries / sizeof entries[0]) - 1;
    while (low <= high) {
        int middle = (low + high) / 2, order = std::strcmp(name, entries[middle].row.name);
        if (order == 0) return &entries[middle];
        if (order < 0) high = middle - 1;
        else low = middle + 1;
    }
    return nullptr;
}

// Programs call a few functions over and over: these are found by one comparison.
const Entry* find_entry(const char* name) {
    static const Entry* recent[64];
    size_t length = std::strlen(name);
    const Entry*& place = recent[(length * 7 + (length ? name[0] + 3 * name[length / 2] + 5 * name[length - 1] : 0)) % 64];
    if (!place || std::strcmp(place->row.name, name) != 0) place = search_entry(name);
    return place;
}

void check_moment(const Row& row) {
    if (row.any_time) return;
    if (!life().initialised) fail("notInitialized", "call MPI_Init first");
    if (life().finalised) fail("finalized", "MPI_Finalize was called: no more of MPI can be used");
}

void check_arity(const Row& row, int inputs, int outputs) {
    if (inputs < row.least || inputs > row.most) {
        fail("badInput", "%s arguments: it takes MPI_%s(%s)", inputs < row.least ? "too few" : "too many", row.name,
             row.signature);
    }
    if (outputs > std::max(row.outputs, 1) || (row.outputs == 0 && outputs > 0)) {
        fail("badInput", "too many outputs: it has %d", row.outputs);
    }
}

void state(int outputs, mxArray** out) {
    const char* names[] = {"initialized", "finalized", "rank", "size", "library", "requests", "debug"};
    size_t open = 0;
    requests().each([&](uint64_t, Request&) { ++open; });
    mxArray* made = mxCreateStructMatrix(1, 1, 7, names);
    mxSetFieldByNumber(made, 0, 0, mxCreateLogicalScalar(life().initialised));
    mxSetFieldByNumber(made, 0, 1, mxCreateLogicalScalar(life().finalised));
    mxSetFieldByNumber(made, 0, 2, mxCreateDoubleScalar(life().rank));
    mxSetFieldByNumber(made, 0, 3, mxCreateDoubleScalar(life().size));
    mxSetFieldByNumber(made, 0, 4, mxCreateString(library_name().c_str()));
    mxSetFieldByNumber(made, 0, 5, mxCreateDoubleScalar(double(open)));
    mxSetFieldByNumber(made, 0, 6, mxCreateLogicalScalar(debug().on));
    (void)outputs;
    out[0] = made;
}

void call(const char* name, int outputs, mxArray** out, int inputs, const mxArray** in) {
    if (std::strcmp(name, "mexmpi_state") == 0) {
        state(outputs, out);
        return;
    }
    if (std::strcmp(name, "mexmpi_debug") == 0) {
        bool before = debug().on;
        if (inputs > 0) debug().on = mxGetScalar(in[0]) != 0;
        if (outputs > 0) out[0] = mxCreateLogicalScalar(before);
        return;
    }
    if (std::strncmp(name, "MPI_", 4) == 0) {
        if (const Entry* entry = find_entry(name + 4)) {
            check_moment(entry->row);
            check_arity(entry->row, inputs, outputs);
            Call c{entry->row, outputs, out, inputs, in};
            entry->body(c);
            return;
        }
    }
    fail("unknown", "there is no such function");
}

}  // namespace mexmpi

#ifdef MATLAB_MEX_FILE
constexpr bool told_by_octave = false;
#else
constexpr bool told_by_octave = true;  // Octave puts the function's name before the text itself
#endif

// Errors leave only from here, where nothing is alive that would have to be destroyed.
extern "C" __attribute__((visibility("default"))) void mexFunction(int outputs, mxArray** out, int inputs, const mxArray** in) {
    static char id[80], text[4096], name[64];
    bool failed = false;
    std::strncpy(name, mexFunctionName(), sizeof name - 1);
    try {
        if (std::strcmp(name, "mexmpi_call") == 0) {
            if (inputs < 1 || !mexmpi::is_text(in[0])) mexmpi::fail("badInput", "the first argument must be a function's name");
            std::snprintf(name, sizeof name, "%s", mexmpi::text_of(in[0]).c_str());
            mexmpi::call(name, outputs, out, inputs - 1, in + 1);
        } else {
            mexmpi::call(name, outputs, out, inputs, in);
        }
    } catch (const mexmpi::Failure& failure) {
        failed = true;
        std::snprintf(id, sizeof id, "%s", failure.id.c_str());
        bool named = told_by_octave && std::strcmp(name, mexFunctionName()) == 0;
        std::snprintf(text, sizeof text, "%s%s%s", named ? "" : name, named ? "" : ": ", failure.text.c_str());
    } catch (const std::bad_alloc&) {
        failed = true;
        std::snprintf(id, sizeof id, "mpi:noMemory");
        std::snprintf(text, sizeof text, "%s: there is no memory", name);
    }
    if (failed) mexErrMsgIdAndTxt(id, "%s", text);
}
