// Arguments and results of the calls that the generator writes: each kind reads, checks and converts one of them.
#pragma once
#include "attributes.hpp"
#include "life.hpp"
#include "processes.hpp"
#include "types.hpp"
#include "values.hpp"

namespace mexmpi {

template <class Value>
struct Given {
    Value value;
    Value c() const { return value; }
};

struct in_comm : Given<MPI_Comm> {
    in_comm(Call& c, int k) : Given{c.comm(k)} {}
    in_comm(Call& c, int k, uint64_t otherwise) : Given{c.given(k) ? c.comm(k) : comms().get(otherwise).value} {}
};
struct in_cart : Given<MPI_Comm> {
    in_cart(Call& c, int k) : Given{c.comm(k)} { need_topology(value, MPI_CART, "grid"); }
};
struct in_inter : Given<MPI_Comm> {
    in_inter(Call& c, int k) : Given{c.comm(k)} {
        int inter = 0;
        check(MPI_Comm_test_inter(value, &inter));
        if (!inter) fail("ERR_COMM", "argument %d (%s) must be an intercommunicator", k + 1, c.row.arguments[k]);
    }
};
struct in_graph : Given<MPI_Comm> {
    in_graph(Call& c, int k) : Given{c.comm(k)} { need_topology(value, MPI_GRAPH, "graph"); }
};
struct in_distgraph : Given<MPI_Comm> {
    in_distgraph(Call& c, int k) : Given{c.comm(k)} { need_topology(value, MPI_DIST_GRAPH, "distributed graph"); }
};
struct in_group : Given<MPI_Group> {
    in_group(Call& c, int k) : Given{c.group(k)} {}
};
struct in_info : Given<MPI_Info> {
    in_info(Call& c, int k) : Given{infos().get(c.handle(k)).value} {
        if (value == MPI_INFO_NULL) fail("ERR_INFO", "argument %d (%s) is MPI_INFO_NULL", k + 1, c.row.arguments[k]);
    }
    in_info(Call& c, int k, int) : Given{c.info(k)} {}
};
struct in_type : Given<MPI_Datatype> {
    in_type(Call& c, int k) : Given{c.type(k)} {}
};
struct in_op : Given<MPI_Op> {
    in_op(Call& c, int k) : Given{c.op(k).value} {}
};
struct in_win : Given<MPI_Win> {
    in_win(Call& c, int k) : Given{c.win(k)} {}
};
struct in_file : Given<MPI_File> {
    in_file(Call& c, int k) : Given{c.file(k)} {}
};
struct in_errhandler : Given<MPI_Errhandler> {
    in_errhandler(Call& c, int k) : Given{errhandlers().get(c.handle(k)).value} {}
};
struct in_int : Given<int> {
    in_int(Call& c, int k) : Given{c.integer(k)} {}
    in_int(Call& c, int k, int otherwise) : Given{c.integer(k, otherwise)} {}
};
struct in_int64 : Given<MPI_Aint> {
    in_int64(Call& c, int k) : Given{MPI_Aint(c.whole(k))} {}
};
struct in_offset : Given<MPI_Offset> {
    in_offset(Call& c, int k) : Given{MPI_Offset(c.whole(k))} {}
};
struct in_string {
    std::string value;
    in_string(Call& c, int k) : value(c.string(k)) {}
    const char* c() const { return value.c_str(); }
};
struct in_ints {
    std::vector<int> value;
    in_ints(Call& c, int k) : value(c.integers(k)) {}
    int* c() { return value.empty() ? &none : value.data(); }
    int size() const { return Plan::limited(value.size()); }
    int none = 0;
};
struct in_aints {
    std::vector<MPI_Aint> value;
    in_aints(Call& c, int k) : value(c.addresses(k)) {}
    MPI_Aint* c() { return value.empty() ? &none : value.data(); }
    int size() const { return Plan::limited(value.size()); }
    MPI_Aint none = 0;
};
struct in_types {
    std::vector<MPI_Datatype> value;
    in_types(Call& c, int k) {
        const mxArray* x = c.value(k);
        if (!mxIsUint64(x)) fail("badInput", "argument %d (%s) must be datatypes", k + 1, c.row.arguments[k]);
        for (size_t j = 0; j < mxGetNumberOfElements(x); ++j) value.push_back(types().get(elements<uint64_t>(x)[j]).value);
    }
    MPI_Datatype* c() { return value.empty() ? &none : value.data(); }
    int size() const { return int(value.size()); }
    MPI_Datatype none = MPI_DATATYPE_NULL;
};
struct in_ranges {  // rows of first, last, step
    std::vector<int> value;
    in_ranges(Call& c, int k) {
        std::vector<int> given = c.integers(k);
        size_t rows = mxGetM(c.in[k]);
        if (!given.empty() && mxGetN(c.in[k]) != 3) fail("ERR_ARG", "ranges are rows of first, last, step");
        for (size_t row = 0; row < rows; ++row) {
            for (size_t column = 0; column < 3; ++column) value.push_back(given[row + column * rows]);
        }
    }
    int (*c())[3] { return value.empty() ? none : reinterpret_cast<int(*)[3]>(value.data()); }
    int size() const { return int(value.size() / 3); }
    int none[1][3] = {{0, 0, 1}};
};

// Objects that the call frees: the handle is taken away when MPI has done it.
template <class Value, class Object>
struct Freed {
    Table<Object>& table;
    uint64_t handle;
    Value value;
    bool kept;
    Freed(Table<Object>& t, uint64_t h) : table(t), handle(h), value(t.get(h).value), kept(false) {}
    Value* c() { return &value; }
    void done() {
        if (!kept) table.remove(handle);
    }
};
struct in_freecomm : Freed<MPI_Comm, Comm> {
    in_freecomm(Call& c, int k) : Freed(comms(), c.handle(k)) {
        Comm& object = comms().get(handle);
        if (object.predefined) fail("ERR_COMM", "MPI's own communicators cannot be freed");
        if (object.shadow != MPI_COMM_NULL) check(MPI_Comm_free(&object.shadow));
    }
};
struct in_freegroup : Freed<MPI_Group, Group> {
    in_freegroup(Call& c, int k) : Freed(groups(), c.handle(k)) {
        if (value == MPI_GROUP_NULL) fail("ERR_GROUP", "MPI_GROUP_NULL cannot be freed");
        kept = handle == start_objects().handles["GROUP_EMPTY"];
        if (kept) fail("ERR_GROUP", "MPI_GROUP_EMPTY cannot be freed");
    }
};
struct in_freeinfo : Freed<MPI_Info, Info> {
    in_freeinfo(Call& c, int k) : Freed(infos(), c.handle(k)) {
        if (infos().get(handle).predefined) fail("ERR_INFO", "MPI's own hints cannot be freed");
    }
};
struct in_freetype : Freed<MPI_Datatype, Datatype> {
    in_freetype(Call& c, int k) : Freed(types(), c.handle(k)) {
        if (types().get(handle).predefined) fail("ERR_TYPE", "MPI's own datatypes cannot be freed");
    }
};
struct in_committype : Freed<MPI_Datatype, Datatype> {
    in_committype(Call& c, int k) : Freed(types(), c.handle(k)) { kept = true; }
};
struct in_freeerrhandler : Freed<MPI_Errhandler, Errhandler> {
    in_freeerrhandler(Call& c, int k) : Freed(errhandlers(), c.handle(k)) {
        if (errhandlers().get(handle).predefined) fail("ERR_ARG", "MPI's own error handlers cannot be freed");
    }
};

template <class Value>
struct Number {
    Value value = 0;
    Value* c() { return &value; }
    void give(Call& c_, int k) { c_.give(k, double(value)); }
};
using out_int = Number<int>;
using out_aint = Number<MPI_Aint>;
using out_count = Number<MPI_Count>;
using out_offset = Number<MPI_Offset>;

struct out_logical : Number<int> {
    void give(Call& c_, int k) { c_.give_flag(k, value != 0); }
};
struct out_text {
    static constexpr int room = MPI_MAX_LIBRARY_VERSION_STRING + MPI_MAX_ERROR_STRING + 2;
    char text[room] = "";
    int length = 0;
    void give(Call& c_, int k) { c_.give_text(k, text); }
};
struct out_text0 {
    char text[MPI_MAX_PORT_NAME + MPI_MAX_INFO_KEY + 2] = "";
    char* c() { return text; }
    void give(Call& c_, int k) { c_.give_text(k, text); }
};
struct out_ints {
    std::vector<int> value;
    explicit out_ints(const in_ints& like) : value(like.value.size() + 1) {}
    void copy(const in_ints& from) { std::copy(from.value.begin(), from.value.end(), value.begin()); }
    int* c() { return value.data(); }
    void give(Call& c_, int k) { c_.give(k, counts_array(std::vector<int>(value.begin(), value.end() - 1))); }
};
struct out_coords {
    std::vector<int> value;
    explicit out_coords(const in_cart& grid) : value(grid_dims(grid.value) + 1) {}
    int* c() { return value.data(); }
    int size() const { return int(value.size()) - 1; }
    void give(Call& c_, int k) { c_.give(k, counts_array(std::vector<int>(value.begin(), value.end() - 1))); }
};
struct out_comm {
    MPI_Comm value = MPI_COMM_NULL;
    MPI_Comm* c() { return &value; }
    void give(Call& c_, int k) { give_comm(c_, k, value); }
};
struct out_group {
    MPI_Group value = MPI_GROUP_NULL;
    MPI_Group* c() { return &value; }
    void give(Call& c_, int k) { c_.give_handle(k, groups().add({value})); }
};
struct out_info {
    MPI_Info value = MPI_INFO_NULL;
    MPI_Info* c() { return &value; }
    void give(Call& c_, int k) { c_.give_handle(k, infos().add({value})); }
};
struct out_type {
    MPI_Datatype value = MPI_DATATYPE_NULL;
    MPI_Datatype* c() { return &value; }
    void give(Call& c_, int k) { c_.give_handle(k, types().add({value})); }
};
struct out_errhandler {
    MPI_Errhandler value = MPI_ERRHANDLER_NULL;
    MPI_Errhandler* c() { return &value; }
    void give(Call& c_, int k) {
        uint64_t known = 0;
        errhandlers().each([&](uint64_t handle, Errhandler& one) {
            if (one.value == value) known = handle;
        });
        c_.give_handle(k, known ? known : errhandlers().add({value}));
    }
};

}  // namespace mexmpi
