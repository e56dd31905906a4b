// Collectives on values of any class: headers first, then the payload. Every rank learns what it will get before it comes.
#pragma once
#include "reductions.hpp"

namespace mexmpi {

constexpr size_t slot_bytes = 256;  // a header with what fits behind it

struct Slot {
    uint64_t bytes;  // of the whole message
    uint8_t inlined[slot_bytes - 8];
};
static_assert(sizeof(Slot) == slot_bytes, "a slot has one size on every machine");

inline Slot slot_of(const Outgoing& message) {
    Slot slot{};
    slot.bytes = message.bytes();
    if (slot.bytes <= sizeof slot.inlined) {
        message.write(slot.inlined);
    } else {
        std::memcpy(slot.inlined, &message.header, header_bytes);
    }
    return slot;
}

inline bool is_inlined(const Slot& slot) { return slot.bytes <= sizeof slot.inlined; }

inline Header header_in(const Slot& slot) {
    Header header;
    std::memcpy(&header, slot.inlined, header_bytes);
    check_header(header, slot.bytes);
    return header;
}

// Small messages go through here: posted receives are matched meanwhile, and a root does not wait for the others.
template <class Begin>
void collective(Begin begin) {
    MPI_Request request;
    check(begin(&request));
    check(complete(&request, MPI_STATUS_IGNORE));
}

inline void bcast_bytes(void* data, size_t bytes, int root, MPI_Comm comm) {
    if (bytes == 0) return;
    if (bytes <= small_bytes) {
        collective([&](MPI_Request* r) { return MPI_Ibcast(data, int(bytes), MPI_BYTE, root, comm, r); });
        return;
    }
    arrive(comm);
    if (bytes <= piece_bytes()) {
        check(MPI_Bcast(data, int(bytes), MPI_BYTE, root, comm));
        return;
    }
    Parts parts;
    parts.add(data, bytes);
    MPI_Datatype type = parts.commit();
    check(MPI_Bcast(MPI_BOTTOM, 1, type, root, comm));
}

inline mxArray* bcast_payload(const Slot& slot, int root, MPI_Comm comm) {
    Header header = header_in(slot);
    if (is_inlined(slot)) return value_of(slot.inlined, slot.bytes);
    bool plain = header.form == form_plain && header.code != code_char && header.code != code_logical;
    if (plain) {
        Shape shape = shape_of(header);
        mxArray* made = result_array(shape);
        bcast_bytes(mxGetData(made), header.payload, root, comm);
        return widened(made, shape);
    }
    Buffer payload(header.payload);
    bcast_bytes(payload.data(), header.payload, root, comm);
    return value_of(header, payload.data());
}

inline void bcast_value(Call& c) {
    MPI_Comm comm = c.comm(2);
    int root = c.root(1, comm), inter = 0;
    check(MPI_Comm_test_inter(comm, &inter));
    bool sends = inter ? root == MPI_ROOT : place_in(comm).rank == root;
    compare_calls(c, c.comm_object(2), root, nullptr, 0);
    Outgoing message;
    Slot slot{};
    if (sends) slot = slot_of(message = outgoing(c.value(0)));
    bcast_bytes(&slot, sizeof slot, root, comm);
    if (!sends && (!inter || root != MPI_PROC_NULL)) {
        c.give(0, bcast_payload(slot, root, comm));
        return;
    }
    if (sends && !is_inlined(slot)) bcast_bytes(const_cast<void*>(message.data), message.header.payload, root, comm);
    if (c.outputs == 0) return;
    c.give(0, sends ? value_of(message.header, static_cast<const uint8_t*>(message.data)) : nothing());
}

inline void bcast_into(Call& c) {
    MPI_Comm comm = c.comm(2);
    int root = c.root(1, comm), bad = 0, any = 0;
    Slot mine{};
    mxArray* x = unshared_variable(c, 0);
    Shape shape = shape_of(x);
    bool sends = place_in(comm).rank == root;
    compare_calls(c, c.comm_object(2), root, &shape, 0);
    mine = slot_of(outgoing(x));
    arrive(comm);
    Slot theirs = mine;
    bcast_bytes(&theirs, sizeof theirs, root, comm);
    Header header = header_in(theirs), own = header_in(mine);
    bad = header.code != own.code || header.complex != own.complex || header.payload != own.payload;
    check(MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, comm));
    if (bad && !sends) fail("ERR_TRUNCATE", "'%s' is not of the class and size of the root's array", c.string(0).c_str());
    if (any) fail("ERR_TRUNCATE", "the variable of another rank is not of the class and size of the root's array");
    bcast_bytes(mxGetData(x), shape.bytes(), root, comm);
}

// Messages of all ranks, one after the other in memory, and where each begins.
struct Gathered {
    std::vector<Slot> slots;
    std::vector<MPI_Count> places;
    Buffer data;

    mxArray* value(size_t k) const {
        if (is_inlined(slots[k])) return value_of(slots[k].inlined, slots[k].bytes);
        return value_of(data.data() + places[k], slots[k].bytes);
    }
};

inline void place_messages(Gathered& all, std::vector<int>& counts, std::vector<int>& displacements) {
    size_t sum = 0;
    for (const Slot& slot : all.slots) {
        size_t bytes = is_inlined(slot) ? 0 : size_t(slot.bytes);
        all.places.push_back(MPI_Count(sum));
        displacements.push_back(Plan::limited(sum));
        counts.push_back(Plan::limited(bytes));
        sum += bytes;
    }
    Plan::limited(sum);
    all.data = Buffer(sum);
}

inline bool same_arrays(const std::vector<Slot>& slots) {
    Header first = header_in(slots[0]);
    bool same = first.form == form_plain;
    for (const Slot& slot : slots) {
        Header header = header_in(slot);
        same = same && std::memcmp(&header, &first, header_bytes) == 0;
    }
    return same;
}

// Arrays of one class and size become one array, stacked; anything else becomes a cell.
inline mxArray* gathered_value(const Gathered& all) {
    size_t count = all.slots.size();
    if (same_arrays(all.slots)) {
        Header header = header_in(all.slots[0]);
        Shape shape = shape_of(header), out = stacked(shape, count);
        Buffer together(out.bytes());
        for (size_t k = 0; k < count; ++k) {
            const Slot& slot = all.slots[k];
            const uint8_t* from = is_inlined(slot) ? slot.inlined : all.data.data() + all.places[k];
            if (shape.bytes()) std::memcpy(together.data() + k * shape.bytes(), from + header_bytes, shape.bytes());
        }
        return array_of(out, together.data());
    }
    mxArray* cell = mxCreateCellMatrix(1, count);
    for (size_t k = 0; k < count; ++k) mxSetCell(cell, k, all.value(k));
    return cell;
}

inline void gather_value(Call& c) {
    MPI_Comm comm = c.comm(2);
    int root = c.root(1, comm);
    Place place = place_in(comm);
    compare_calls(c, c.comm_object(2), root, nullptr, 0);
    Slot mine = slot_of(outgoing(c.value(0)));
    Buffer message = is_inlined(mine) ? Buffer() : message_copy(c.value(0));
    int count = is_inlined(mine) ? 0 : Plan::limited(mine.bytes);
    Gathered all;
    all.slots.resize(place.rank == root ? place.size : 0);
    collective([&](MPI_Request* r) {
        return MPI_Igather(&mine, slot_bytes, MPI_BYTE, all.slots.data(), slot_bytes, MPI_BYTE, root, comm, r);
    });
    std::vector<int> counts, displacements;
    place_messages(all, counts, displacements);
    collective([&](MPI_Request* r) {
        return MPI_Igatherv(message.data(), count, MPI_BYTE, all.data.data(), counts.data(), displacements.data(), MPI_BYTE,
                            root, comm, r);
    });
    c.give(0, place.rank == root ? gathered_value(all) : nothing());
}

inline void allgather_value(Call& c) {
    MPI_Comm comm = c.comm(1);
    compare_calls(c, c.comm_object(1), -1, nullptr, 0);
    Slot mine = slot_of(outgoing(c.value(0)));
    Buffer message = is_inlined(mine) ? Buffer() : message_copy(c.value(0));
    int count = is_inlined(mine) ? 0 : Plan::limited(mine.bytes);
    Gathered all;
    all.slots.resize(place_in(comm).size);
    collective([&](MPI_Request* r) {
        return MPI_Iallgather(&mine, slot_bytes, MPI_BYTE, all.slots.data(), slot_bytes, MPI_BYTE, comm, r);
    });
    std::vector<int> counts, displacements;
    place_messages(all, counts, displacements);
    if (all.data.size()) {
        collective([&](MPI_Request* r) {
            return MPI_Iallgatherv(message.data(), count, MPI_BYTE, all.data.data(), counts.data(), displacements.data(),
                                   MPI_BYTE, comm, r);
        });
    }
    c.give(0, gathered_value(all));
}

// The messages that one value deals out: the elements of a cell, or equal blocks of an array.
inline std::vector<Buffer> dealt(const mxArray* x, size_t ranks) {
    std::vector<Buffer> made;
    if (mxIsCell(x)) {
        if (mxGetNumberOfElements(x) != ranks) {
            fail("ERR_COUNT", "a cell of %zu elements cannot be dealt out to %zu ranks", size_t(mxGetNumberOfElements(x)), ranks);
        }
        for (size_t k = 0; k < ranks; ++k) {
            const mxArray* part = mxGetCell(x, k);
            made.push_back(message_copy(part ? part : nothing()));
        }
        return made;
    }
    if (!is_plain(x)) fail("badInput", "x must be an array or a cell with one element for each rank");
    Shape block = block_of(shape_of(x), ranks, "x");
    const uint8_t* data = static_cast<const uint8_t*>(mxGetData(x));
    for (size_t k = 0; k < ranks; ++k) {
        mxArray* part = empty_array(block);
        if (block.bytes()) std::memcpy(mxGetData(part), data + k * block.bytes(), block.bytes());
        made.push_back(message_copy(part));
        mxDestroyArray(part);
    }
    return made;
}

inline Buffer joined(const std::vector<Buffer>& messages, std::vector<int>& counts, std::vector<int>& displacements) {
    Buffer all;
    for (const Buffer& message : messages) {
        displacements.push_back(Plan::limited(all.size()));
        counts.push_back(Plan::limited(message.size()));
        all.append(message.data(), message.size());
    }
    Plan::limited(all.size());
    return all;
}

inline mxArray* value_in(const Buffer& message) { return value_of(message.data(), message.size()); }

// The root tells every rank a length first; -1 when it cannot deal its value out, so that no rank waits in vain.
inline void scatter_value(Call& c) {
    MPI_Comm comm = c.comm(2);
    int root = c.root(1, comm), length = 0;
    Place place = place_in(comm);
    compare_calls(c, c.comm_object(2), root, nullptr, 0);
    std::vector<int> counts, displacements;
    Buffer all;
    Failure trouble;
    if (place.rank == root) {
        try {
            all = joined(dealt(c.value(0), place.size), counts, displacements);
        } catch (const Failure& failure) {
            trouble = failure;
            counts.assign(place.size, -1);
        }
    }
    collective([&](MPI_Request* r) { return MPI_Iscatter(counts.data(), 1, MPI_INT, &length, 1, MPI_INT, root, comm, r); });
    if (!trouble.id.empty()) throw trouble;
    if (length < 0) fail("ERR_COUNT", "rank %d could not deal its value out", root);
    Buffer mine{size_t(length)};
    collective([&](MPI_Request* r) {
        return MPI_Iscatterv(all.data(), counts.data(), displacements.data(), MPI_BYTE, mine.data(), length, MPI_BYTE, root,
                             comm, r);
    });
    c.give(0, value_in(mine));
}

inline mxArray* exchanged_value(const Buffer& data, const std::vector<int>& counts, const std::vector<int>& places) {
    mxArray* made = mxCreateCellMatrix(1, counts.size());
    for (size_t k = 0; k < counts.size(); ++k) mxSetCell(made, k, value_of(data.data() + places[k], counts[k]));
    return made;
}

inline void alltoall_value(Call& c) {
    MPI_Comm comm = c.comm(1);
    size_t ranks = place_in(comm).size;
    const mxArray* x = c.value(0);
    if (!mxIsCell(x)) {
        alltoall(c, Mode::blocking);
        return;
    }
    compare_calls(c, c.comm_object(1), -1, nullptr, 0);
    std::vector<int> sent, from, received(ranks);
    Buffer all = joined(dealt(x, ranks), sent, from);
    collective([&](MPI_Request* r) { return MPI_Ialltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm, r); });
    std::vector<int> to = offsets(received);
    Buffer data(total(received));
    collective([&](MPI_Request* r) {
        return MPI_Ialltoallv(all.data(), sent.data(), from.data(), MPI_BYTE, data.data(), received.data(), to.data(), MPI_BYTE,
                              comm, r);
    });
    c.give(0, exchanged_value(data, received, to));
}

}  // namespace mexmpi
