// Values attached to communicators, datatypes and windows; and error handlers that are Octave functions.
#pragma once
#include "begun.hpp"
#include "operation.hpp"

namespace mexmpi {

// An attribute is a value as bytes; MPI copies it when the object is duplicated and deletes it when it is freed.
template <class Object>
int copy_attribute(Object, int, void*, void* in, void* out, int* flag) {
    Buffer* copy = new (std::nothrow) Buffer();
    if (!copy) return MPI_ERR_NO_MEM;
    try {
        copy->append(static_cast<Buffer*>(in)->data(), static_cast<Buffer*>(in)->size());
    } catch (const Failure&) {
        delete copy;
        return MPI_ERR_NO_MEM;
    }
    *static_cast<void**>(out) = copy;
    *flag = 1;
    return MPI_SUCCESS;
}

template <class Object>
int delete_attribute_value(Object, int, void* value, void*) {
    delete static_cast<Buffer*>(value);
    return MPI_SUCCESS;
}

inline std::vector<int>& own_keyvals() {
    static std::vector<int> list;
    return list;
}

// The kinds of objects; their C types cannot tell them apart, for in MPICH all handles are numbers of one type.
struct OfComm {
    using Object = MPI_Comm;
    static Object get(Call& c) { return c.comm(0); }
    static int keyval(int* key) {
        return MPI_Comm_create_keyval(copy_attribute<Object>, delete_attribute_value<Object>, key, nullptr);
    }
    static int errhandler(void (*f)(Object*, int*, ...), MPI_Errhandler* made) { return MPI_Comm_create_errhandler(f, made); }
};
struct OfType {
    using Object = MPI_Datatype;
    static Object get(Call& c) { return c.type(0); }
    static int keyval(int* key) {
        return MPI_Type_create_keyval(copy_attribute<Object>, delete_attribute_value<Object>, key, nullptr);
    }
};
struct OfWin {
    using Object = MPI_Win;
    static Object get(Call& c) { return c.win(0); }
    static int keyval(int* key) {
        return MPI_Win_create_keyval(copy_attribute<Object>, delete_attribute_value<Object>, key, nullptr);
    }
    static int errhandler(void (*f)(Object*, int*, ...), MPI_Errhandler* made) { return MPI_Win_create_errhandler(f, made); }
};
struct OfFile {
    using Object = MPI_File;
    static Object get(Call& c) { return c.file(0); }
    static int errhandler(void (*f)(Object*, int*, ...), MPI_Errhandler* made) { return MPI_File_create_errhandler(f, made); }
};

template <class Of>
void create_keyval(Call& c) {
    int key = MPI_KEYVAL_INVALID;
    check(Of::keyval(&key));
    own_keyvals().push_back(key);
    c.give(0, double(key));
}

inline int own_keyval(Call& c, int k) {
    int key = c.integer(k);
    for (int own : own_keyvals()) {
        if (own == key) return key;
    }
    fail("ERR_KEYVAL", "%d is no key that was made here, or it was freed", key);
}

template <class Free>
void free_keyval(Call& c, Free function) {
    int key = own_keyval(c, 0);
    auto& list = own_keyvals();
    for (size_t k = 0; k < list.size(); ++k) {
        if (list[k] == key) list.erase(list.begin() + k--);
    }
    check(function(&key));
}

template <class Of, class Set>
void set_attribute(Call& c, Set function) {
    auto object = Of::get(c);
    int key = own_keyval(c, 1);
    Buffer* value = new Buffer(message_copy(c.value(2)));
    int code = function(object, key, value);
    if (code != MPI_SUCCESS) delete value;
    check(code);
}

// MPI's own attributes are pointers to numbers, or an address; ours are values.
template <class Of, class Get>
void get_attribute(Call& c, Get function) {
    auto object = Of::get(c);
    int key = c.integer(1), found = 0;
    bool own = false;
    for (int one : own_keyvals()) own = own || one == key;
    const int numbers[] = {MPI_TAG_UB, MPI_WTIME_IS_GLOBAL, MPI_UNIVERSE_SIZE, MPI_APPNUM, MPI_HOST, MPI_IO};
    bool known = own;
    for (int one : numbers) known = known || one == key;
    if (!known) fail("ERR_KEYVAL", "%d is no key of a value, or it was freed", key);
    void* value = nullptr;
    check(function(object, key, &value, &found));
    if (!found || !value) {
        c.give(0, nothing());
    } else if (own) {
        Buffer* bytes = static_cast<Buffer*>(value);
        c.give(0, value_of(bytes->data(), bytes->size()));
    } else {
        c.give(0, double(*static_cast<int*>(value)));
    }
    c.give_flag(1, found);
}

template <class Of, class Delete>
void delete_attribute(Call& c, Delete function) {
    auto object = Of::get(c);
    check(function(object, own_keyval(c, 1)));
}

// An error handler's C side only notes that it was called; the Octave function runs when MPI has returned.
struct OctaveHandler {
    mxArray* function = nullptr;
    bool called = false;
    int code = 0;
};

inline OctaveHandler* octave_handlers() {
    static OctaveHandler all[most_functions];
    return all;
}

template <class Object, int number>
void note_error(Object*, int* code, ...) {
    octave_handlers()[number].called = true;
    octave_handlers()[number].code = *code;
}

template <class Object>
using Handler = void(Object*, int*, ...);

template <class Object, int number>
struct Notes {
    static Handler<Object>* get(int wanted) {
        return wanted == number ? note_error<Object, number> : Notes<Object, number - 1>::get(wanted);
    }
};
template <class Object>
struct Notes<Object, -1> {
    static Handler<Object>* get(int) { return nullptr; }
};

inline int free_handler_place() {
    for (int k = 0; k < most_functions; ++k) {
        if (!octave_handlers()[k].function) return k;
    }
    fail("ERR_OTHER", "there are %d error handlers already", most_functions);
}

template <class Of>
void create_errhandler(Call& c) {
    int place = free_handler_place();
    MPI_Errhandler made;
    check(Of::errhandler(Notes<typename Of::Object, most_functions - 1>::get(place), &made));
    octave_handlers()[place].function = function_argument(c, 0);
    c.give_handle(0, errhandlers().add({made, false}));
}

inline void run_error_handlers() {
    for (int k = 0; k < most_functions; ++k) {
        OctaveHandler& handler = octave_handlers()[k];
        if (!handler.called) continue;
        handler.called = false;
        mxArray* arguments[2] = {handler.function, mxCreateDoubleScalar(handler.code)};
        mxArray* trouble = mexCallMATLABWithTrap(0, nullptr, 2, arguments, "feval");
        mxDestroyArray(arguments[1]);
        if (trouble) throw Failure{"mpi:errorHandler", "the function of an error handler has failed itself"};
    }
}

template <class Of, class Function>
void call_errhandler(Call& c, Function function) {
    auto object = Of::get(c);
    check(function(object, c.integer(1)));
    run_error_handlers();
}

}  // namespace mexmpi
