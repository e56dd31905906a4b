// What MPI tells about a message, as a struct of the interpreter.
#pragma once
#include "call.hpp"
#include "message.hpp"

namespace mexmpi {

struct Facts {
    int source = MPI_ANY_SOURCE, tag = MPI_ANY_TAG, error = MPI_SUCCESS;
    double count = 0, bytes = 0;
    bool cancelled = false;
};

inline mxArray* status_array(const std::vector<Facts>& all) {
    const char* names[] = {"source", "tag", "error", "count", "bytes", "cancelled"};
    mxArray* made = mxCreateStructMatrix(1, all.size(), 6, names);
    for (size_t k = 0; k < all.size(); ++k) {
        mxSetFieldByNumber(made, k, 0, mxCreateDoubleScalar(all[k].source));
        mxSetFieldByNumber(made, k, 1, mxCreateDoubleScalar(all[k].tag));
        mxSetFieldByNumber(made, k, 2, mxCreateDoubleScalar(all[k].error));
        mxSetFieldByNumber(made, k, 3, mxCreateDoubleScalar(all[k].count));
        mxSetFieldByNumber(made, k, 4, mxCreateDoubleScalar(all[k].bytes));
        mxSetFieldByNumber(made, k, 5, mxCreateLogicalScalar(all[k].cancelled));
    }
    return made;
}

inline void give_status(Call& c, int k, const Facts& facts) {
    if (k == 0 || k < c.outputs) c.out[k] = status_array({facts});
}

inline Facts facts_of(const MPI_Status& status) {
    Facts facts;
    facts.source = status.MPI_SOURCE;
    facts.tag = status.MPI_TAG;
    facts.error = MPI_SUCCESS;
    return facts;
}

inline void describe(Facts& facts, const Header& h) {
    facts.bytes = double(h.payload);
    facts.count = h.form == form_plain ? double(shape_of(h).count()) : 1;
}

inline double status_field(const Call& c, int k, const char* name) {
    const mxArray* x = c.value(k);
    const mxArray* field = mxIsStruct(x) && mxGetNumberOfElements(x) == 1 ? mxGetField(x, 0, name) : nullptr;
    if (!field || mxGetNumberOfElements(field) != 1 || !(mxIsNumeric(field) || mxIsLogical(field))) {
        fail("badInput", "argument %d (%s) must be a status as MPI_Recv and MPI_Wait return it", k + 1,
             c.row.arguments[k]);
    }
    double number = mxGetScalar(field);
    if (!(std::fabs(number) < 1e15)) fail("badInput", "the status says %s = %g", name, number);
    return number;
}

inline MPI_Status status_of(const Call& c, int k) {
    MPI_Status status{};
    status.MPI_SOURCE = int(status_field(c, k, "source"));
    status.MPI_TAG = int(status_field(c, k, "tag"));
    check(MPI_Status_set_elements_x(&status, MPI_BYTE, MPI_Count(status_field(c, k, "bytes"))));
    check(MPI_Status_set_cancelled(&status, status_field(c, k, "cancelled") != 0));
    return status;
}

inline void test_cancelled(Call& c) {
    MPI_Status status = status_of(c, 0);
    int flag = 0;
    check(MPI_Test_cancelled(&status, &flag));
    c.give_flag(0, flag);
}

inline MPI_Datatype counted_type(const Call& c, int k) {
    MPI_Datatype type = c.given(k) ? c.type(k) : MPI_BYTE;
    if (type == MPI_DATATYPE_NULL) fail("ERR_TYPE", "this datatype was freed");
    return type;
}

inline void get_count(Call& c) {
    if (!c.given(1)) {
        c.give(0, status_field(c, 0, "count"));
        return;
    }
    MPI_Status status = status_of(c, 0);
    int count = 0;
    check(MPI_Get_count(&status, counted_type(c, 1), &count));
    c.give(0, double(count));
}

inline void get_elements(Call& c) {
    MPI_Status status = status_of(c, 0);
    MPI_Count count = 0;
    check(MPI_Get_elements_x(&status, counted_type(c, 1), &count));
    c.give(0, double(count));
}

inline Facts facts_again(const Call& c, const MPI_Status& status) {
    Facts facts = facts_of(status);
    MPI_Count bytes = 0;
    int cancelled = 0;
    check(MPI_Get_elements_x(&status, MPI_BYTE, &bytes));
    check(MPI_Test_cancelled(&status, &cancelled));
    facts.bytes = double(bytes);
    facts.count = status_field(c, 0, "count");
    facts.cancelled = cancelled;
    return facts;
}

inline void status_set_elements(Call& c) {
    MPI_Status status = status_of(c, 0);
    MPI_Datatype type = counted_type(c, 1);
    int64_t count = c.whole(2);
    MPI_Count bytes = 0;
    if (count < 0) fail("ERR_COUNT", "a number of elements cannot be negative");
    check(MPI_Type_size_x(type, &bytes));
    check(MPI_Status_set_elements_x(&status, MPI_BYTE, bytes * count));
    Facts facts = facts_again(c, status);
    facts.count = double(count);
    give_status(c, 0, facts);
}

inline void status_set_cancelled(Call& c) {
    MPI_Status status = status_of(c, 0);
    check(MPI_Status_set_cancelled(&status, c.integer(1) != 0));
    give_status(c, 0, facts_again(c, status));
}

}  // namespace mexmpi
