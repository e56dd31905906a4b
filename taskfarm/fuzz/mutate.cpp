// Stands in for libFuzzer where there is no clang: mutates the corpus blindly. TARGET [-runs=N] DIRECTORY
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes);

namespace {

std::string mutated(std::string input, const std::vector<std::string>& corpus, std::mt19937_64& random) {
  for (auto changes = 1 + random() % 8; changes > 0; --changes) {
    const std::size_t at = input.empty() ? 0 : random() % input.size();
    switch (random() % 6) {
      case 0: if (!input.empty()) input[at] ^= static_cast<char>(1 << random() % 8); break;
      case 1: if (!input.empty()) input[at] = "\0\xff\x7f\x80\x01"[random() % 5]; break;
      case 2: input.insert(at, std::string(random() % 40, static_cast<char>(random()))); break;
      case 3: input.erase(at, random() % 40); break;
      case 4: input.insert(at, corpus[random() % corpus.size()]); break;
      default: input.resize(at); break;
    }
    if (input.size() > 4096) input.resize(4096);
  }
  return input;
}

}  // namespace

int main(int argc, char** argv) {
  long runs = 1'000'000;
  std::vector<std::string> corpus{""};
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "-runs=", 6) == 0) runs = std::atol(argv[i] + 6);
    else if (argv[i][0] != '-')
      for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
        std::ifstream file(entry.path(), std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
      }
  }
  std::mt19937_64 random(1);
  for (long run = 0; run < runs; ++run) {
    const std::string input = mutated(corpus[random() % corpus.size()], corpus, random);
    LLVMFuzzerTestOneInput(reinterpret_cast<const unsigned char*>(input.data()), input.size());
  }
  std::printf("%ld inputs from %zu seeds, no finding\n", runs, corpus.size());
}
