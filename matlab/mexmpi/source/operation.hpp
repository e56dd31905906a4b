// Operations of reductions: MPI's own by handle or by a word, and Octave functions.
#pragma once
#include "call.hpp"

namespace mexmpi {

inline Operation& Call::op(int k) const {
    if (!given(k)) return operations().get(start_objects().sum);
    if (is_text(in[k])) {
        auto& ops = start_objects().ops;
        auto found = ops.find(text_of(in[k]));
        if (found == ops.end()) {
            fail("ERR_OP", "argument %d (%s): '%s' is none of sum prod max min and or xor bitand bitor bitxor maxloc minloc",
                 k + 1, row.arguments[k], text_of(in[k]).c_str());
        }
        return operations().get(found->second);
    }
    return operations().get(handle(k));
}

constexpr int most_functions = 16;

// An Octave function as operation. MPI tells its C function only elements and type, so each has one of its own.
struct OctaveOperation {
    mxArray* function = nullptr;
    std::string trouble;  // told when the call of MPI has returned
};

inline OctaveOperation* octave_operations() {
    static OctaveOperation all[most_functions];
    return all;
}

inline Shape shape_of_type(MPI_Datatype type, int length) {
    for (int code = code_double; code <= code_uint64; ++code) {
        for (int complex = 0; complex < (code <= code_single ? 2 : 1); ++complex) {
            if (type_of(Code(code), complex) == type) return {Code(code), complex != 0, {mwSize(length), 1}};
        }
    }
    return {};
}

inline bool apply(OctaveOperation& op, const Shape& shape, void* in, void* inout) {
    mxArray* arguments[3] = {op.function, array_of(shape, in), array_of(shape, inout)};
    mxArray* results[2] = {nullptr, nullptr};
    mxArray* trouble = mexCallMATLABWithTrap(2, results, 3, arguments, "mexmpi_apply");
    mxDestroyArray(arguments[1]);
    mxDestroyArray(arguments[2]);
    if (trouble || !results[0] || !results[1]) {
        op.trouble = "the function of the operation could not be called";
        return false;
    }
    if (is_text(results[1]) && mxGetNumberOfElements(results[1]) > 0) {
        op.trouble = text_of(results[1]);
        return false;
    }
    bool widen = shape.complex && !mxIsComplex(results[0]);
    if (code_of(mxGetClassID(results[0])) != shape.code || mxGetNumberOfElements(results[0]) != shape.count() ||
        mxIsSparse(results[0]) || (mxIsComplex(results[0]) && !shape.complex)) {
        op.trouble = "the function of the operation must return an array of the class and size of its arguments";
        return false;
    }
    if (!widen) {
        std::memcpy(inout, mxGetData(results[0]), shape.bytes());
    } else {
        std::memset(inout, 0, shape.bytes());
        size_t part = shape.element() / 2;
        const uint8_t* from = static_cast<const uint8_t*>(mxGetData(results[0]));
        for (size_t k = 0; k < shape.count(); ++k) {
            std::memcpy(static_cast<uint8_t*>(inout) + 2 * k * part, from + k * part, part);
        }
    }
    mxDestroyArray(results[0]);
    mxDestroyArray(results[1]);
    return true;
}

template <int number>
void trampoline(void* in, void* inout, int* length, MPI_Datatype* type) {
    OctaveOperation& op = octave_operations()[number];
    if (!op.function || !op.trouble.empty()) return;
    try {
        Shape shape = shape_of_type(*type, *length);
        if (shape.code == code_none) {
            op.trouble = "an operation of Octave's works on numeric arrays only";
        } else {
            apply(op, shape, in, inout);
        }
    } catch (const std::exception&) {
        op.trouble = "there is no memory for the operation";
    } catch (const Failure& failure) {
        op.trouble = failure.text;
    }
}

template <int number>
struct Trampolines {
    static MPI_User_function* get(int wanted) {
        return wanted == number ? trampoline<number> : Trampolines<number - 1>::get(wanted);
    }
};
template <>
struct Trampolines<-1> {
    static MPI_User_function* get(int) { return nullptr; }
};

// Raise what an Octave function has raised while MPI was calling it.
inline void check_operations() {
    for (int k = 0; k < most_functions; ++k) {
        std::string trouble;
        trouble.swap(octave_operations()[k].trouble);
        if (!trouble.empty()) fail("operation", "%s", trouble.c_str());
    }
}

inline mxArray* function_argument(const Call& c, int k) {
    const mxArray* x = c.value(k);
    if (!mxIsClass(x, "function_handle") && !is_text(x)) {
        fail("badInput", "argument %d (%s) must be a function handle or the name of a function", k + 1, c.row.arguments[k]);
    }
    mxArray* copy = mxDuplicateArray(x);
    mexMakeArrayPersistent(copy);
    return copy;
}

inline void op_create(Call& c) {
    int free_one = 0;
    while (free_one < most_functions && octave_operations()[free_one].function) ++free_one;
    if (free_one == most_functions) fail("ERR_OP", "there are %d operations already: free one", most_functions);
    MPI_Op op;
    check(MPI_Op_create(Trampolines<most_functions - 1>::get(free_one), c.integer(1, 1) != 0, &op));
    octave_operations()[free_one].function = function_argument(c, 0);
    c.give_handle(0, operations().add({op, false, false, free_one}));
}

inline void op_free(Call& c) {
    uint64_t handle = c.handle(0);
    Operation& op = operations().get(handle);
    if (op.predefined) fail("ERR_OP", "MPI's own operations cannot be freed");
    check(MPI_Op_free(&op.value));
    if (op.trampoline >= 0) {
        mxDestroyArray(octave_operations()[op.trampoline].function);
        octave_operations()[op.trampoline].function = nullptr;
    }
    operations().remove(handle);
}

// Is this operation defined on this class? MPI libraries do not all check, and some end the process.
inline void check_operation(const Operation& op, const Shape& shape) {
    bool real_number = shape.code <= code_single && !shape.complex;
    bool whole = shape.code >= code_int8 && shape.code <= code_char;
    MPI_Op v = op.value;
    if (op.trampoline >= 0 || op.pairs || v == MPI_REPLACE || v == MPI_NO_OP) return;
    bool sum = v == MPI_SUM || v == MPI_PROD;
    bool order = v == MPI_MAX || v == MPI_MIN;
    bool truth = v == MPI_LAND || v == MPI_LOR || v == MPI_LXOR;
    bool allowed = sum ? shape.code < code_logical : order ? real_number || whole : whole;
    if (sum && shape.code >= code_logical) {
        fail("ERR_OP", "%s arrays cannot be summed or multiplied: convert them to double first", facts_of(shape.code).name);
    }
    if (!allowed) {
        fail("ERR_OP", "a %s operation is not defined on %s%s arrays", order ? "max or min" : truth ? "logical" : "bitwise",
             shape.complex ? "complex " : "", facts_of(shape.code).name);
    }
}

}  // namespace mexmpi
