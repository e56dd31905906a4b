// fuzz_decoder CORPUS COUNT SEED: messages that are valid, seeds of the corpus or built at random, are damaged and decoded. What
// still decodes is encoded again; what was not damaged must give the same bytes. The sanitizers say the rest.
#include <cstdio>
#include <fstream>
#include <random>

#include "message.hpp"

void forget_arrays();
namespace mexmpi {
void run_error_handlers() {}
}  // namespace mexmpi
using namespace mexmpi;
using Bytes = std::vector<uint8_t>;
using Random = std::mt19937_64;

static void put_value(Buffer& out, Random& random, int depth);

static void put_sparse(Buffer& out, Random& random, uint64_t rows, uint64_t columns, size_t element) {
    std::vector<uint64_t> places, starts{0};
    for (uint64_t column = 0; column < columns; ++column) {
        for (uint64_t row = 0; row < rows; ++row) {
            if (random() % 2) places.push_back(row);
        }
        starts.push_back(places.size());
    }
    out.put<uint64_t>(places.size());
    for (uint64_t row : places) out.put(row);
    for (uint64_t start : starts) out.put(start);
    for (size_t k = 0; k < places.size() * element; ++k) out.put<uint8_t>(1);
}

static void put_struct(Buffer& out, Random& random, uint64_t count, int depth) {
    uint32_t fields = random() % 3;
    out.put(fields);
    for (uint32_t f = 0; f < fields; ++f) {
        out.put<uint32_t>(1);
        out.put<uint8_t>('a' + f);
    }
    for (uint64_t k = 0; k < count * fields; ++k) put_value(out, random, depth + 1);
    for (uint64_t k = 0; k < count && fields == 0; ++k) out.put<uint8_t>(0);
}

static void put_value(Buffer& out, Random& random, int depth) {
    uint8_t code = 1 + random() % (depth < 4 ? 14 : 12);
    bool sparse = (code == code_double || code == code_logical) && random() % 5 == 0;
    bool complex = code <= code_single && random() % 3 == 0;
    size_t element = facts_of(Code(code)).bytes * (complex ? 2 : 1);
    out.put<uint8_t>(code);
    out.put<uint8_t>((complex ? 1 : 0) | (sparse ? 2 : 0));
    out.put<uint8_t>(facts_of(Code(code)).bytes);
    out.put<uint8_t>(0);
    std::vector<uint64_t> dims(sparse ? 2 : 2 + random() % 3);
    out.put<uint32_t>(dims.size());
    uint64_t count = 1;
    for (uint64_t& dim : dims) {
        out.put(dim = random() % 4);
        count *= dim;
    }
    if (sparse) {
        put_sparse(out, random, dims[0], dims[1], element);
    } else if (code == code_cell) {
        for (uint64_t k = 0; k < count; ++k) put_value(out, random, depth + 1);
    } else if (code == code_struct) {
        put_struct(out, random, count, depth);
    } else {
        for (size_t k = 0; k < count * element; ++k) out.put<uint8_t>(random() % 2);
    }
}

static Bytes built(Random& random) {
    Buffer message;
    Header header{};
    header.magic = header_magic;
    header.form = form_encoded;
    message.put(header);
    put_value(message, random, 0);
    size_t size = message.size() - header_bytes;
    std::memcpy(message.data() + offsetof(Header, payload), &size, 8);
    size_t tail = (8 + 1 - size % 8) % 8;
    for (size_t t = 0; t < tail; ++t) message.put<uint8_t>(0);
    return Bytes(message.data(), message.data() + message.size());
}

// Lines of a name and the bytes in hexadecimal digits.
static std::vector<Bytes> corpus_of(const char* path) {
    std::ifstream file(path);
    std::vector<Bytes> seeds;
    for (std::string name, digits; file >> name >> digits;) {
        Bytes bytes;
        for (size_t k = 0; k + 1 < digits.size(); k += 2) bytes.push_back(std::stoi(digits.substr(k, 2), nullptr, 16));
        seeds.push_back(bytes);
    }
    return seeds;
}

// One damage: a byte, a number that is at a limit, bytes left out or put in, or the end of another message.
static void damage(Bytes& x, Random& random, const Bytes& other) {
    static const uint64_t limits[] = {0,       1,           2,           3,           0xff,        1u << 31,
                                      ~0u,     1ull << 32,  1ull << 47,  (1ull << 47) + 1, 1ull << 61, 1ull << 63,
                                      ~0ull,   ~0ull - 63,  1ull << 62,  4097};
    if (x.empty()) return;
    size_t at = random() % x.size(), length = 1 + random() % 16;
    switch (random() % 6) {
        case 0: case 1: x[at] = uint8_t(random()); break;
        case 2: {
            uint64_t limit = limits[random() % 16];
            at -= at % 4;
            std::memcpy(x.data() + at, &limit, std::min<size_t>(random() % 2 ? 8 : 4, x.size() - at));
            break;
        }
        case 3: x.erase(x.begin() + at, x.begin() + std::min(at + length, x.size())); break;
        case 4: x.insert(x.begin() + at, length, uint8_t(random() % 3)); break;
        default:
            x.resize(at);
            if (at < other.size()) x.insert(x.end(), other.begin() + at, other.end());
    }
}

// The length in the header and the tail made right again: so damages come through to the values themselves.
static void repair(Bytes& x) {
    if (x.size() < header_bytes) return;
    Header header;
    std::memcpy(&header, x.data(), header_bytes);
    header.magic = header_magic;
    header.payload = x.size() - header_bytes;
    if (header.form != form_plain) header.form = form_encoded;
    std::memcpy(x.data(), &header, header_bytes);
    x.resize(x.size() + tail_of(header));
}

static bool same_again(const mxArray* value, const Bytes& message) {
    Outgoing again = outgoing(value);
    Bytes bytes(again.bytes());
    again.write(bytes.data());
    return bytes == message;
}

int main(int argc, char** argv) {
    if (argc != 4) return std::printf("fuzz_decoder CORPUS COUNT SEED\n"), 2;
    std::vector<Bytes> seeds = corpus_of(argv[1]);
    long count = std::atol(argv[2]), decoded = 0, refused = 0, first = seeds.size();
    Random random(std::atol(argv[3]));
    for (long k = 0; k < count; ++k) {
        bool sown = k < first || random() % 2;
        Bytes message = !sown ? built(random) : k < first ? seeds[k] : seeds[random() % seeds.size()], valid = message;
        int damages = k < first ? 0 : random() % 4;
        for (int d = 0; d < damages; ++d) damage(message, random, seeds[random() % seeds.size()]);
        if (damages && random() % 2) repair(message);
        Bytes exact(message.data(), message.data() + message.size());  // of exactly this size: an over-read is found
        exact.shrink_to_fit();
        try {
            mxArray* value = value_of(exact.data(), exact.size());
            ++decoded;
            if (sown && message == valid && !same_again(value, valid)) {
                return std::printf("input %ld comes back with other bytes\n", k), 1;
            }
            Buffer again;
            encode(value, again, "value", 0);
        } catch (const Failure& failure) {
            ++refused;
            if (message == valid) return std::printf("input %ld is valid and was refused: %s\n", k, failure.text.c_str()), 1;
        }
        forget_arrays();
    }
    std::printf("%ld inputs from %ld seeds: %ld decoded, %ld refused\n", count, first, decoded, refused);
}
