// A value as one message: 64 bytes that say what it is, then its elements from where they lie, without a copy.
//
// A length that is a multiple of eight means: a full real double array. Everything else is lengthened to a length of
// 8 k + 1. So the receiver knows from a probe alone whether it may receive into a double array of the interpreter's own.
#pragma once
#include <algorithm>

#include "decode.hpp"

namespace mexmpi {

struct Header {
    uint32_t magic;
    uint8_t form, code, complex, dimensions;
    uint64_t payload;
    uint64_t dims[6];
};
static_assert(sizeof(Header) == 64, "the header is 64 bytes on every machine");

constexpr uint32_t header_magic = 0x3149504d;  // "MPI1"
constexpr uint8_t form_plain = 1, form_encoded = 2;
constexpr size_t header_bytes = sizeof(Header);
constexpr size_t small_bytes = 4096;       // up to here a message is copied into one piece
constexpr size_t in_place_bytes = 32768;   // from here a double array is received into an array of the interpreter's own

// The largest count that is given to MPI in one piece; a test lowers it to see that pieces are put together rightly.
inline size_t piece_bytes() {
    static size_t bytes = [] {
        const char* text = std::getenv("MEXMPI_PIECE_BYTES");
        long long wanted = text ? std::atoll(text) : 0;
        return wanted > 0 ? size_t(std::min(wanted, 1LL << 30)) : size_t(1) << 30;
    }();
    return bytes;
}

class Type {  // a datatype of MPI that is freed at the end of its scope
   public:
    Type() = default;
    Type(const Type&) = delete;
    Type& operator=(const Type&) = delete;
    ~Type() {
        if (type_ != MPI_DATATYPE_NULL && owned_) MPI_Type_free(&type_);
    }
    MPI_Datatype* put() { return &type_; }
    void borrow(MPI_Datatype type) {
        type_ = type;
        owned_ = false;
    }
    operator MPI_Datatype() const { return type_; }

   private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    bool owned_ = true;
};

// Parts of memory, each of any length, as one datatype at absolute addresses (to be used with MPI_BOTTOM).
class Parts {
   public:
    void add(const void* data, size_t bytes) {
        if (bytes == 0) return;
        size_t piece = piece_bytes(), pieces = bytes / piece;
        MPI_Aint address;
        check(MPI_Get_address(data, &address));
        if (pieces) {
            if (pieces > size_t(1) << 30) fail("badInput", "an array of %zu bytes is too large for MPI", bytes);
            if (chunk_ == MPI_DATATYPE_NULL) check(MPI_Type_contiguous(int(piece), MPI_BYTE, chunk_.put()));
            push(address, int(pieces), chunk_);
        }
        if (bytes % piece) push(address + MPI_Aint(pieces * piece), int(bytes % piece), MPI_BYTE);
    }
    MPI_Datatype commit() {
        check(MPI_Type_create_struct(count_, lengths_, addresses_, types_, type_.put()));
        check(MPI_Type_commit(type_.put()));
        return type_;
    }

   private:
    void push(MPI_Aint address, int length, MPI_Datatype type) {
        addresses_[count_] = address;
        lengths_[count_] = length;
        types_[count_++] = type;
    }
    Type chunk_, type_;
    MPI_Aint addresses_[6];
    int lengths_[6];
    MPI_Datatype types_[6];
    int count_ = 0;
};

// A value ready to be sent: header, data where it lies (or encoded), and how many bytes are added to the length.
struct Outgoing {
    Header header;
    const void* data = nullptr;
    Buffer encoded;
    size_t tail = 0;

    size_t bytes() const { return header_bytes + header.payload + tail; }
    void write(uint8_t* to) const {
        std::memcpy(to, &header, header_bytes);
        if (header.payload) std::memcpy(to + header_bytes, data, header.payload);
        if (tail) std::memset(to + header_bytes + header.payload, 0, tail);
    }
};

inline size_t tail_of(const Header& h) {
    bool real_doubles = h.form == form_plain && h.code == code_double && !h.complex;
    return real_doubles ? 0 : (8 + 1 - h.payload % 8) % 8;
}

inline Header header_of(const mxArray* x) {
    Header h{};
    h.magic = header_magic;
    const mwSize* dims = mxGetDimensions(x);
    size_t dimensions = mxGetNumberOfDimensions(x);
    if (!is_plain(x) || dimensions > 6) {
        h.form = form_encoded;
        return h;
    }
    h.form = form_plain;
    h.code = code_of(mxGetClassID(x));
    h.complex = mxIsComplex(x);
    h.dimensions = dimensions;
    h.payload = facts_of(Code(h.code)).bytes * (h.complex ? 2 : 1);
    for (size_t d = 0; d < dimensions; ++d) h.payload *= h.dims[d] = dims[d];
    return h;
}

inline Outgoing outgoing(const mxArray* x) {
    Outgoing made;
    made.header = header_of(x);
    if (made.header.form == form_plain) {
        made.data = mxGetData(x);
    } else {
        encode(x, made.encoded, "value", 0);
        made.data = made.encoded.data();
        made.header.payload = made.encoded.size();
    }
    made.tail = tail_of(made.header);
    return made;
}

inline void check_header(const Header& h, size_t bytes) {
    bool valid = bytes >= header_bytes && h.magic == header_magic && h.payload <= bytes - header_bytes &&
                 (h.form == form_plain || h.form == form_encoded) && header_bytes + h.payload + tail_of(h) == bytes;
    if (!valid) {
        fail("notAValue", "a message of %zu bytes is no value of mexmpi's; for raw data of other programs give MPI_Recv_into "
             "a datatype", bytes);
    }
}

inline Shape shape_of(const Header& h) {
    if (h.code == code_none || h.code >= code_cell || h.dimensions < 2 || h.dimensions > 6 || h.complex > 1 ||
        (h.complex && h.code != code_double && h.code != code_single)) {
        fail("damaged", "a message's header is no valid one");
    }
    Shape shape{Code(h.code), h.complex != 0, Dims(h.dims, h.dims + h.dimensions)};
    for (mwSize dim : shape.dims) {
        if (uint64_t(dim) > longest_dim) fail("damaged", "a message holds a dimension that is too large");
    }
    if (checked_count(shape.dims, shape.element(), h.payload) * shape.element() != h.payload) {
        fail("damaged", "a message does not hold the elements that it announces");
    }
    return shape;
}

// The value of a message whose payload lies in memory.
inline mxArray* value_of(const Header& h, const uint8_t* payload) {
    Reader in{payload, payload + h.payload};
    if (h.form == form_plain) return decode_plain(in, shape_of(h));
    mxArray* made = decode(in, 0);
    if (in.left()) fail("damaged", "a message holds more bytes than its value");
    return made;
}

inline mxArray* value_of(const uint8_t* message, size_t bytes) {
    Header h{};
    if (bytes) std::memcpy(&h, message, std::min(bytes, header_bytes));
    check_header(h, bytes);
    return value_of(h, message + header_bytes);
}

inline size_t bytes_of(const MPI_Status& status) {
    MPI_Count bytes = 0;
    check(MPI_Get_elements_x(&status, MPI_BYTE, &bytes));
    if (bytes < 0) fail("damaged", "MPI cannot tell the length of a message");
    return size_t(bytes);
}

}  // namespace mexmpi
