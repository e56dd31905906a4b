// What the interpreter holds of MPI's objects: a uint64 of kind, generation and place in a table. A number that is no handle,
// one of another kind and one whose object was freed are told apart, so none of them reaches MPI.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "failure.hpp"

namespace mexmpi {

enum Kind : uint8_t {
    kind_none, kind_comm, kind_group, kind_request, kind_info, kind_win, kind_file, kind_type, kind_op, kind_errhandler,
    kind_message
};

inline const char* kind_name(int kind) {
    static const char* names[] = {"",       "communicator", "group",    "request",   "info",          "window",
                                  "file",   "datatype",     "operation", "error handler", "message"};
    return kind >= 0 && kind <= kind_message ? names[kind] : "";
}

constexpr uint64_t handle_of(int kind, uint64_t generation, uint64_t place) {
    return uint64_t(kind) << 56 | (generation & 0xffffff) << 32 | place;
}

template <class Object>
class Table {
   public:
    Table(Kind kind, const char* error) : kind_(kind), error_(error) {}

    uint64_t add(Object object) {
        size_t place = 0;
        if (free_.empty()) {
            place = slots_.size();
            slots_.emplace_back();
        } else {
            place = free_.back();
            free_.pop_back();
        }
        Slot& slot = slots_[place];
        slot.object.reset(new Object(std::move(object)));
        slot.generation = ++generation_;
        return handle_of(kind_, slot.generation, place);
    }
    // The object, or null when it was there once and is no more. Raises when this was never a handle of this kind.
    Object* find(uint64_t handle) {
        int kind = int(handle >> 56);
        size_t place = handle & 0xffffffff;
        uint64_t generation = handle >> 32 & 0xffffff;
        if (kind != kind_ || place >= slots_.size() || generation == 0 || generation > (generation_ & 0xffffff)) {
            const char* other = kind_name(kind);
            fail(error_, *other && kind != kind_ ? "a %s is needed, this is a %s" : "this is no %s of this process",
                 kind_name(kind_), other);
        }
        Slot& slot = slots_[place];
        return slot.object && (slot.generation & 0xffffff) == generation ? slot.object.get() : nullptr;
    }
    Object& get(uint64_t handle) {
        Object* found = find(handle);
        if (!found) fail(error_, "this %s was freed or disconnected", kind_name(kind_));
        return *found;
    }
    void remove(uint64_t handle) {
        get(handle);
        size_t place = handle & 0xffffffff;
        slots_[place].object.reset();
        free_.push_back(place);
    }
    template <class Visit>
    void each(Visit visit) {
        for (size_t place = 0; place < slots_.size(); ++place) {
            if (slots_[place].object) visit(handle_of(kind_, slots_[place].generation, place), *slots_[place].object);
        }
    }

   private:
    struct Slot {
        std::unique_ptr<Object> object;
        uint64_t generation = 0;
    };
    Kind kind_;
    const char* error_;
    std::vector<Slot> slots_;
    std::vector<size_t> free_;
    uint64_t generation_ = 0;
};

struct Comm {
    MPI_Comm value;
    MPI_Comm shadow = MPI_COMM_NULL;  // on which the debug mode compares what the ranks call
    uint64_t calls = 0;
    bool predefined = false;
};
struct Group {
    MPI_Group value;
};
struct Info {
    MPI_Info value;
    bool predefined = false;
};
struct File {
    MPI_File value;
    std::string name;
};
struct Datatype {
    MPI_Datatype value;
    bool predefined = false;
};
struct Operation {
    MPI_Op value;
    bool predefined = false;
    bool pairs = false;  // MPI_MAXLOC and MPI_MINLOC of our own, on pairs of doubles
    int trampoline = -1;
};
struct Errhandler {
    MPI_Errhandler value;
    bool predefined = false;
};
struct Message {
    MPI_Message value;
    size_t bytes;
    int source, tag;
};

inline Table<Comm>& comms() {
    static Table<Comm> table(kind_comm, "ERR_COMM");
    return table;
}
inline Table<Group>& groups() {
    static Table<Group> table(kind_group, "ERR_GROUP");
    return table;
}
inline Table<Info>& infos() {
    static Table<Info> table(kind_info, "ERR_INFO");
    return table;
}
inline Table<File>& files() {
    static Table<File> table(kind_file, "ERR_FILE");
    return table;
}
inline Table<Datatype>& types() {
    static Table<Datatype> table(kind_type, "ERR_TYPE");
    return table;
}
inline Table<Operation>& operations() {
    static Table<Operation> table(kind_op, "ERR_OP");
    return table;
}
inline Table<Errhandler>& errhandlers() {
    static Table<Errhandler> table(kind_errhandler, "ERR_ERRHANDLER");
    return table;
}
inline Table<Message>& messages() {
    static Table<Message> table(kind_message, "ERR_MESSAGE");
    return table;
}

}  // namespace mexmpi
