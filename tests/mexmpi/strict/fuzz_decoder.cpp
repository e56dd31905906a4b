// fuzz_decoder COUNT SEED: messages that were valid are damaged at random and decoded; what still decodes is encoded again and
// must give the same bytes. The sanitizers say the rest.
#include <cstdio>
#include <random>

#include "message.hpp"

void forget_arrays();
namespace mexmpi {
void run_error_handlers() {}
}  // namespace mexmpi
using namespace mexmpi;

static void put_value(Buffer& out, std::mt19937_64& random, int depth) {
    uint8_t code = 1 + random() % (depth < 4 ? 14 : 12);
    bool sparse = (code == code_double || code == code_logical) && random() % 5 == 0;
    bool complex = code <= code_single && random() % 3 == 0;
    out.put<uint8_t>(code);
    out.put<uint8_t>((complex ? 1 : 0) | (sparse ? 2 : 0));
    out.put<uint8_t>(facts_of(Code(code)).bytes);
    out.put<uint8_t>(0);
    uint32_t dimensions = sparse ? 2 : 2 + random() % 3;
    out.put(dimensions);
    uint64_t count = 1, columns = 0;
    for (uint32_t d = 0; d < dimensions; ++d) {
        columns = random() % 4;
        out.put<uint64_t>(columns);
        count *= columns;
    }
    if (sparse) {
        out.put<uint64_t>(0);
        for (uint64_t k = 0; k <= columns; ++k) out.put<uint64_t>(0);
    } else if (code == code_cell) {
        for (uint64_t k = 0; k < count; ++k) put_value(out, random, depth + 1);
    } else if (code == code_struct) {
        uint32_t fields = random() % 3;
        out.put(fields);
        for (uint32_t f = 0; f < fields; ++f) {
            out.put<uint32_t>(1);
            out.put<uint8_t>('a' + f);
        }
        for (uint64_t k = 0; k < count * fields; ++k) put_value(out, random, depth + 1);
        for (uint64_t k = 0; k < count && fields == 0; ++k) out.put<uint8_t>(0);
    } else {
        size_t bytes = count * facts_of(Code(code)).bytes * (complex ? 2 : 1);
        for (size_t k = 0; k < bytes; ++k) out.put<uint8_t>(random() % 2);
    }
}

int main(int argc, char** argv) {
    long count = argc > 1 ? std::atol(argv[1]) : 10000, decoded = 0, refused = 0;
    std::mt19937_64 random(argc > 2 ? std::atol(argv[2]) : 1);
    for (long k = 0; k < count; ++k) {
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
        int damages = random() % 4;
        for (int d = 0; d < damages; ++d) message.data()[random() % message.size()] = uint8_t(random());
        size_t length = random() % 8 ? message.size() : random() % (message.size() + 1);
        std::vector<uint8_t> exact(message.data(), message.data() + length);  // of exactly this size: an over-read is found
        try {
            mxArray* value = value_of(exact.data(), exact.size());
            ++decoded;
            if (damages == 0 && length == message.size()) {
                Buffer again;
                encode(value, again, "value", 0);
                if (again.size() != size) return std::printf("input %ld comes back with another length\n", k), 1;
            }
        } catch (const Failure&) {
            ++refused;
            if (damages == 0 && length == message.size()) return std::printf("input %ld is valid and was refused\n", k), 1;
        }
        forget_arrays();
    }
    std::printf("%ld inputs: %ld decoded, %ld refused\n", count, decoded, refused);
}
