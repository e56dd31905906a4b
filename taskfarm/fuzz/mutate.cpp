// Stands in for libFuzzer where there is no clang, by what gcc has (-fsanitize-coverage=trace-pc): inputs that reach code
// which none before has reached are kept and changed further.
//   TARGET [-runs=N] FOUND CORPUS...      new inputs are kept in FOUND
//   TARGET -merge=1 CORPUS FOUND...       those of FOUND that reach more than CORPUS go there, the smallest ones first
#include <algorithm>
#include <csignal>
#include <cstdint>
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

constexpr std::size_t longest = 4096, places = 1 << 20;
bool reached_now[places], reached[places];
std::uint32_t touched[places];
std::size_t touched_count = 0;
const std::string* running = nullptr;

// A finding: the input that led to it is kept, whatever the sanitizer has to say.
void keep_the_last(int signal) {
  std::ofstream("crash", std::ios::binary) << *running;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

extern "C" const char* __asan_default_options() { return "abort_on_error=1"; }
extern "C" const char* __ubsan_default_options() { return "abort_on_error=1:print_stacktrace=1"; }

// Called by every block of the code that is looked at; this file is compiled without.
extern "C" void __sanitizer_cov_trace_pc() {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  const auto base = reinterpret_cast<std::uintptr_t>(&LLVMFuzzerTestOneInput);
  const std::size_t place = (here - base) % places;
  if (reached_now[place]) return;
  reached_now[place] = true;
  touched[touched_count++] = static_cast<std::uint32_t>(place);
}

namespace {

namespace files = std::filesystem;

// Whether it reached what no input before has.
bool run(const std::string& input) {
  running = &input;
  LLVMFuzzerTestOneInput(reinterpret_cast<const unsigned char*>(input.data()), input.size());
  bool more = false;
  for (std::size_t i = 0; i < touched_count; ++i) {
    more |= !reached[touched[i]];
    reached[touched[i]] = true;
    reached_now[touched[i]] = false;
  }
  touched_count = 0;
  return more;
}

std::vector<std::string> inputs_of(const std::vector<files::path>& folders) {
  std::vector<std::string> inputs;
  for (const auto& folder : folders)
    for (const auto& entry : files::directory_iterator(folder)) {
      std::ifstream file(entry.path(), std::ios::binary);
      inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
  return inputs;
}

void keep(const files::path& folder, const std::string& input) {
  char name[32];
  std::snprintf(name, sizeof name, "found-%016zx", std::hash<std::string>{}(input));
  std::ofstream(folder / name, std::ios::binary) << input;
}

std::string mutated(std::string input, const std::vector<std::string>& corpus, std::mt19937_64& random) {
  for (auto changes = 1 + random() % 8; changes > 0; --changes) {
    const std::size_t at = input.empty() ? 0 : random() % input.size();
    switch (random() % 7) {
      case 0: if (!input.empty()) input[at] ^= static_cast<char>(1 << random() % 8); break;
      case 1: if (!input.empty()) input[at] = "\0\xff\x7f\x80\x01"[random() % 5]; break;
      case 2: input.insert(at, std::string(random() % 40, static_cast<char>(random()))); break;
      case 3: input.erase(at, random() % 40); break;
      case 4: input.insert(at, corpus[random() % corpus.size()]); break;
      case 5: if (!input.empty()) input[0] ^= static_cast<char>(random() % 8 << 5); break;  // who the peer is
      default: input.resize(at); break;
    }
    if (input.size() > longest) input.resize(longest);
  }
  return input;
}

int merge(const std::vector<files::path>& folders) {
  for (const auto& input : inputs_of({folders[0]})) run(input);
  auto found = inputs_of({folders.begin() + 1, folders.end()});
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  std::size_t kept = 0;
  for (const auto& input : found)
    if (run(input)) {
      keep(folders[0], input);
      ++kept;
    }
  std::printf("%zu of %zu inputs reach more than %s\n", kept, found.size(), folders[0].c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGABRT, keep_the_last);
  long runs = 1'000'000;
  bool merges = false;
  std::vector<files::path> folders;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "-runs=", 6) == 0) runs = std::atol(argv[i] + 6);
    else if (std::strcmp(argv[i], "-merge=1") == 0) merges = true;
    else if (argv[i][0] != '-') folders.emplace_back(argv[i]);
  }
  if (folders.empty()) return std::fprintf(stderr, "usage: TARGET [-runs=N | -merge=1] FOLDER...\n"), 2;
  if (merges) return merge(folders);
  std::vector<std::string> corpus = inputs_of(folders);
  corpus.emplace_back();
  for (const auto& input : corpus) run(input);
  const std::size_t seeds = corpus.size();
  std::mt19937_64 random(std::random_device{}());
  for (long done = 0; done < runs; ++done) {
    const std::string input = mutated(corpus[random() % corpus.size()], corpus, random);
    if (!run(input)) continue;
    keep(folders[0], input);
    corpus.push_back(input);
  }
  std::printf("%ld inputs from %zu seeds, no finding; %zu reach more and are in %s\n", runs, seeds, corpus.size() - seeds,
              folders[0].c_str());
}
