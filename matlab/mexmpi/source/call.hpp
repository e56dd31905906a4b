// One call from the interpreter: its arguments, checked as they are read, and its outputs.
#pragma once
#include <cmath>

#include "array.hpp"
#include "constants.hpp"

namespace mexmpi {

struct Row {
    const char* name;       // without MPI_
    const char* signature;  // for errors: x, dest [, tag [, comm]]
    int least, most, outputs;
    bool any_time;  // before MPI_Init and after MPI_Finalize too
    const char* arguments[10];
};

// One real number. Asking for the class is slow, and nearly every number is a double.
inline bool is_number(const mxArray* x, Code largest) {
    if (mxGetNumberOfElements(x) != 1 || mxIsComplex(x)) return false;
    if (mxIsDouble(x)) return true;
    Code code = code_of(mxGetClassID(x));
    return code != code_none && code <= largest;
}

struct Call {
    const Row& row;
    int outputs;
    mxArray** out;
    int inputs;
    const mxArray** in;

    bool given(int k) const {
        return k < inputs && !(mxGetNumberOfElements(in[k]) == 0 && mxIsDouble(in[k]) && !mxIsSparse(in[k]));
    }
    const mxArray* value(int k) const {
        if (k >= inputs) fail("badInput", "argument %d (%s) is missing", k + 1, row.arguments[k]);
        return in[k];
    }
    const mxArray* array(int k) const {
        const mxArray* x = value(k);
        if (!is_plain(x)) {
            fail("badInput", "argument %d (%s) must be a full numeric, logical or char array", k + 1, row.arguments[k]);
        }
        return x;
    }
    double number(int k) const {
        const mxArray* x = value(k);
        if (!is_number(x, code_logical)) {
            fail("badInput", "argument %d (%s) must be one real number", k + 1, row.arguments[k]);
        }
        return mxGetScalar(x);
    }
    int64_t whole(int k) const {
        const mxArray* x = value(k);
        if (mxGetNumberOfElements(x) == 1 && (mxIsInt64(x) || mxIsUint64(x))) {
            if (mxIsUint64(x) && *elements<uint64_t>(x) > uint64_t(INT64_MAX)) {
                fail("badInput", "argument %d (%s) is too large", k + 1, row.arguments[k]);
            }
            return mxIsInt64(x) ? *elements<int64_t>(x) : int64_t(*elements<uint64_t>(x));
        }
        double number_ = number(k);
        if (!(std::fabs(number_) <= 9007199254740992.0) || number_ != std::floor(number_)) {
            fail("badInput", "argument %d (%s) must be a whole number", k + 1, row.arguments[k]);
        }
        return int64_t(number_);
    }
    int64_t whole(int k, int64_t otherwise) const { return given(k) ? whole(k) : otherwise; }
    int integer(int k) const {
        int64_t wide = whole(k);
        if (wide < INT32_MIN || wide > INT32_MAX) {
            fail("badInput", "argument %d (%s) must be a whole number of at most 2^31 - 1", k + 1, row.arguments[k]);
        }
        return int(wide);
    }
    int integer(int k, int otherwise) const { return given(k) ? integer(k) : otherwise; }
    std::string string(int k) const {
        if (!is_text(value(k))) fail("badInput", "argument %d (%s) must be a text", k + 1, row.arguments[k]);
        return text_of(in[k]);
    }
    bool is_star(int k) const {
        return mxIsChar(in[k]) && mxGetNumberOfElements(in[k]) == 1 && text_of(in[k]) == "*";
    }
    uint64_t handle(int k) const {
        const mxArray* x = value(k);
        if (!mxIsUint64(x) || mxGetNumberOfElements(x) != 1) {
            fail("badInput", "argument %d (%s) must be a handle as mexmpi's functions return it, not %s", k + 1,
                 row.arguments[k], mxIsUint64(x) ? "an array of them" : mxGetClassName(x));
        }
        return *elements<uint64_t>(x);
    }
    std::vector<int> integers(int k) const;
    std::vector<MPI_Aint> addresses(int k) const;

    Comm& comm_object(int k) const {
        return comms().get(given(k) ? handle(k) : start_objects().world);
    }
    MPI_Comm comm(int k) const {
        MPI_Comm found = comm_object(k).value;
        if (found == MPI_COMM_NULL) fail("ERR_COMM", "argument %d (%s) is MPI_COMM_NULL", k + 1, row.arguments[k]);
        return found;
    }
    MPI_Info info(int k) const { return given(k) ? infos().get(handle(k)).value : MPI_INFO_NULL; }
    MPI_Datatype type(int k) const { return types().get(handle(k)).value; }
    MPI_Group group(int k) const { return groups().get(handle(k)).value; }
    MPI_File file(int k) const { return files().get(handle(k)).value; }
    MPI_Win win(int k) const;                 // window.hpp
    Operation& op(int k) const;               // operation.hpp
    int rank(int k, MPI_Comm comm) const;     // a rank to send to
    int source(int k, MPI_Comm comm) const;   // a rank to receive from, or any
    int root(int k, MPI_Comm comm) const;
    int send_tag(int k) const;
    int recv_tag(int k) const;

    void give(int k, mxArray* made) {
        if (k == 0 || k < outputs) {
            out[k] = made;
        } else {
            mxDestroyArray(made);
        }
    }
    bool wants(int k) const { return k == 0 || k < outputs; }
    void give(int k, double number_) {
        if (wants(k)) out[k] = mxCreateDoubleScalar(number_);
    }
    void give_flag(int k, bool flag) {
        if (wants(k)) out[k] = mxCreateLogicalScalar(flag);
    }
    void give_text(int k, const char* text) {
        if (wants(k)) out[k] = mxCreateString(text);
    }
    void give_handle(int k, uint64_t handle_) {
        if (!wants(k)) return;
        out[k] = mxCreateNumericMatrix(1, 1, mxUINT64_CLASS, mxREAL);
        *elements<uint64_t>(out[k]) = handle_;
    }
};

inline int peers_of(MPI_Comm comm) {
    int inter = 0, size = 0;
    check(MPI_Comm_test_inter(comm, &inter));
    check(inter ? MPI_Comm_remote_size(comm, &size) : MPI_Comm_size(comm, &size));
    return size;
}

inline int checked_rank(const Call& c, int k, MPI_Comm comm) {
    const mxArray* x = c.value(k);
    double rank = is_number(x, code_uint64) ? mxGetScalar(x) : 0.5;
    if (rank == MPI_PROC_NULL || rank == MPI_ANY_SOURCE || rank == MPI_ROOT) return int(rank);
    int size = peers_of(comm);
    if (!(rank >= 0 && rank < size && rank == std::floor(rank))) {
        fail("ERR_RANK", "argument %d (%s) must be a rank of the communicator: a whole number from 0 to %d", k + 1,
             c.row.arguments[k], size - 1);
    }
    return int(rank);
}

inline int Call::rank(int k, MPI_Comm comm) const {
    int rank_ = checked_rank(*this, k, comm);
    if (rank_ == MPI_ANY_SOURCE || (rank_ == MPI_ROOT && rank_ != MPI_PROC_NULL)) {
        fail("ERR_RANK", "argument %d (%s) must name one rank to send to", k + 1, row.arguments[k]);
    }
    return rank_;
}

inline int Call::source(int k, MPI_Comm comm) const {
    return !given(k) || is_star(k) ? MPI_ANY_SOURCE : checked_rank(*this, k, comm);
}

inline int Call::root(int k, MPI_Comm comm) const {
    if (!given(k)) return 0;
    int rank_ = checked_rank(*this, k, comm), inter = 0;
    check(MPI_Comm_test_inter(comm, &inter));
    if (rank_ < 0 && !inter) fail("ERR_ROOT", "argument %d (%s) must be a rank", k + 1, row.arguments[k]);
    return rank_;
}

inline int largest_tag() {
    static int largest = [] {
        void* value = nullptr;
        int found = 0;
        MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found);
        return found ? *static_cast<int*>(value) : 32767;
    }();
    return largest;
}

inline int checked_tag(const Call& c, int k) {
    const mxArray* x = c.value(k);
    double tag = is_number(x, code_uint64) ? mxGetScalar(x) : -0.5;
    if (!(tag >= 0 && tag <= largest_tag() && tag == std::floor(tag))) {
        fail("ERR_TAG", "argument %d (%s) must be a tag: a whole number from 0 to %d", k + 1, c.row.arguments[k],
             largest_tag());
    }
    return int(tag);
}

inline int Call::send_tag(int k) const { return given(k) ? checked_tag(*this, k) : 0; }

inline int Call::recv_tag(int k) const {
    if (!given(k) || is_star(k)) return MPI_ANY_TAG;
    const mxArray* x = in[k];
    if (mxGetNumberOfElements(x) == 1 && mxIsDouble(x) && mxGetScalar(x) == MPI_ANY_TAG) return MPI_ANY_TAG;
    return checked_tag(*this, k);
}

template <class Number>
std::vector<Number> whole_numbers(const Call& c, int k, double limit) {
    const mxArray* x = c.array(k);
    size_t count = mxGetNumberOfElements(x);
    std::vector<Number> found(count);
    if (mxIsInt64(x) && sizeof(Number) == 8) {
        for (size_t j = 0; j < count; ++j) found[j] = Number(elements<int64_t>(x)[j]);
        return found;
    }
    mxArray* made = nullptr;
    mxArray* given_ = const_cast<mxArray*>(x);
    mxArray* trouble = mxIsDouble(x) ? nullptr : mexCallMATLABWithTrap(1, &made, 1, &given_, "double");
    if (trouble || mxIsComplex(x)) fail("badInput", "argument %d (%s) must be whole numbers", k + 1, c.row.arguments[k]);
    const double* numbers = elements<double>(made ? made : x);
    for (size_t j = 0; j < count; ++j) {
        if (!(std::fabs(numbers[j]) <= limit) || numbers[j] != std::floor(numbers[j])) {
            fail("badInput", "argument %d (%s) must be whole numbers of at most %.0f", k + 1, c.row.arguments[k], limit);
        }
        found[j] = Number(numbers[j]);
    }
    if (made) mxDestroyArray(made);
    return found;
}

inline std::vector<int> Call::integers(int k) const { return whole_numbers<int>(*this, k, 2147483647.0); }
inline std::vector<MPI_Aint> Call::addresses(int k) const {
    return whole_numbers<MPI_Aint>(*this, k, 9007199254740992.0);
}

}  // namespace mexmpi
