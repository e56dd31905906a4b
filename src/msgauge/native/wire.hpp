// The wire protocol (docs/reference/wire-protocol.md): text plan in, binary frames out.
#pragma once

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <locale>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "facts.hpp"

namespace msgauge::wire {

// A plan that cannot be carried out; the message names the line.
struct PlanError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The samples file cannot be made or added to.
struct WriteError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Limits {
  std::int64_t cell_budget_ns = 50'000'000;
  double cell_precision = 0.01;
  std::int64_t launch_limit_ns = 60'000'000'000;
  bool check = true;
};

struct Plan {
  Launch launch;
  std::string clock = "monotonic";
  Limits limits;
  std::vector<Cell> cells;
};

// --- percent-encoding ------------------------------------------------------------------------------------------------

// Everything but letters, digits and a few harmless signs becomes %XX, so that values hold no space, '=' or newline.
inline std::string encode(std::string_view text) {
  static constexpr std::string_view harmless = "-._~:/+,@()[]";
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string out;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool plain = (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= 'a' && letter <= 'z') || harmless.find(letter) != std::string_view::npos;
    if (plain) {
      out += letter;
    } else {
      out += '%';
      out += digits[byte >> 4];
      out += digits[byte & 15];
    }
  }
  return out;
}

inline int hex_digit(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  return -1;
}

// Raises PlanError for a '%' that two hexadecimal digits do not follow.
inline std::string decode(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    const int high = at + 2 < text.size() ? hex_digit(text[at + 1]) : -1;
    const int low = at + 2 < text.size() ? hex_digit(text[at + 2]) : -1;
    if (high < 0 || low < 0) throw PlanError("'" + std::string(text) + "' is not percent-encoded");
    out += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return out;
}

// --- the plan --------------------------------------------------------------------------------------------------------

using Fields = std::map<std::string, std::string, std::less<>>;

inline std::string take(Fields& fields, const char* key) {
  const auto found = fields.find(key);
  if (found == fields.end()) throw PlanError(std::string("'") + key + "=' is missing");
  auto value = found->second;
  fields.erase(found);
  return value;
}

template <class Number>
Number take_number(Fields& fields, const char* key, Number least) {
  const auto text = take(fields, key);
  Number value{};
  const auto [end, mistake] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (mistake != std::errc{} || end != text.data() + text.size())
    throw PlanError(std::string(key) + "=" + text + " is not a number that fits");
  if (value < least) throw PlanError(std::string(key) + "=" + text + " is too small");
  return value;
}

// Numbers with commas between them.
inline std::vector<int> take_numbers(Fields& fields, const char* key, int least) {
  std::vector<int> numbers;
  auto text = take(fields, key) + ",";
  for (std::size_t comma; (comma = text.find(',')) != std::string::npos; text.erase(0, comma + 1)) {
    Fields one{{key, text.substr(0, comma)}};
    numbers.push_back(take_number(one, key, least));
  }
  return numbers;
}

// Floating point by hand: GCC 10 has no from_chars for it, and strtod would heed the locale.
inline double take_fraction(Fields& fields, const char* key) {
  const auto text = take(fields, key);
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  double value = 0;
  if (!(stream >> value) || !stream.eof() || !(value >= 0) || value > 1)
    throw PlanError(std::string(key) + "=" + text + " is not a fraction between 0 and 1");
  return value;
}

inline std::size_t take_choice(Fields& fields, const char* key, std::initializer_list<const char*> choices) {
  const auto text = take(fields, key);
  std::size_t place = 0;
  for (const char* choice : choices) {
    if (text == choice) return place;
    ++place;
  }
  throw PlanError(std::string(key) + "=" + text + " is none of the words allowed");
}

inline Fields split(std::string_view rest) {
  Fields fields;
  while (!rest.empty()) {
    const auto end = rest.find(' ');
    const auto item = rest.substr(0, end);
    const auto equals = item.find('=');
    if (equals == std::string_view::npos || equals == 0)
      throw PlanError("'" + std::string(item) + "' is not of the form name=value");
    if (!fields.emplace(std::string(item.substr(0, equals)), decode(item.substr(equals + 1))).second)
      throw PlanError("'" + std::string(item.substr(0, equals)) + "' is given twice");
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return fields;
}

inline Cell read_cell(Fields& fields) {
  constexpr std::int64_t smallest = 0;
  Cell cell;
  cell.id = take_number(fields, "id", smallest);
  cell.kernel = take(fields, "kernel");
  cell.bytes = take_number(fields, "bytes", smallest);
  cell.ranks = take_number(fields, "ranks", 1);
  cell.mode = take_choice(fields, "mode", {"batch", "single"}) == 0 ? Mode::batch : Mode::single;
  cell.cache = static_cast<CacheMode>(take_choice(fields, "cache", {"hot", "rotate", "cold"}));
  for (auto field = fields.begin(); field != fields.end();) {
    if (field->first.rfind("opt.", 0) != 0) {
      ++field;
      continue;
    }
    cell.options.emplace_back(field->first.substr(4), field->second);
    field = fields.erase(field);
  }
  return cell;
}

inline void read_line(Plan& plan, std::string_view kind, Fields& fields) {
  constexpr std::int64_t none = 0;
  if (kind == "launch") {
    plan.launch.number = take_number(fields, "number", none);
    plan.launch.round = take_number(fields, "round", none);
    plan.launch.seed = take_number<std::uint64_t>(fields, "seed", 0);
    plan.launch.ranks = take_number(fields, "ranks", 1);
    plan.launch.cores = take_number(fields, "cores", 1);
    if (fields.count("boot_ns")) plan.launch.boot_ns = take_number(fields, "boot_ns", none);
    if (fields.count("begun_ns")) plan.launch.begun_ns = take_number(fields, "begun_ns", none);
    if (fields.count("begun_error_ns")) plan.launch.begun_error_ns = take_number(fields, "begun_error_ns", none);
    if (fields.count("pin")) plan.launch.pin = take_numbers(fields, "pin", 0);
  } else if (kind == "clock") {
    plan.clock = take(fields, "name");
    if (plan.clock != "monotonic" && plan.clock != "tsc" && plan.clock != "simulated")
      throw PlanError("there is no clock '" + plan.clock + "'");
  } else if (kind == "limits") {
    plan.limits.cell_budget_ns = take_number(fields, "cell_budget_ns", std::int64_t{1});
    plan.limits.cell_precision = take_fraction(fields, "cell_precision");
    plan.limits.launch_limit_ns = take_number(fields, "launch_limit_ns", std::int64_t{1});
    plan.limits.check = take_choice(fields, "check", {"no", "yes"}) == 1;
  } else if (kind == "cell") {
    if (plan.launch.ranks == 0) throw PlanError("a cell stands before the launch line");
    plan.cells.push_back(read_cell(fields));
    plan.cells.back().seed = plan.launch.seed;
  } else {
    throw PlanError("there is no record '" + std::string(kind) + "'");
  }
  if (!fields.empty()) throw PlanError("'" + fields.begin()->first + "' is not known in a " + std::string(kind) + " line");
}

// Raises PlanError "line N: ..." for the first line that is wrong, and for a plan that was cut off.
inline Plan parse_plan(std::string_view text) {
  Plan plan;
  int number = 0;
  bool greeted = false, ended = false;
  while (!text.empty()) {
    const auto newline = text.find('\n');
    const auto line = text.substr(0, newline);
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    ++number;
    try {
      if (line.empty() || line[0] == '#') continue;
      if (ended) throw PlanError("something stands after 'end'");
      if (!greeted) {
        if (line != "msgauge-plan 1") throw PlanError("a plan begins with 'msgauge-plan 1'");
        greeted = true;
      } else if (line == "end") {
        ended = newline != std::string_view::npos;
      } else {
        const auto space = line.find(' ');
        auto fields = split(space == std::string_view::npos ? std::string_view{} : line.substr(space + 1));
        read_line(plan, line.substr(0, space), fields);
      }
    } catch (const PlanError& mistake) {
      throw PlanError("line " + std::to_string(number) + ": " + mistake.what());
    }
  }
  if (!ended) throw PlanError("line " + std::to_string(number + 1) + ": the plan is cut off, 'end' is missing");
  if (plan.launch.ranks == 0) throw PlanError("the plan has no launch line");
  return plan;
}

inline Plan read_plan(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) throw PlanError("cannot read the plan " + path + ": " + std::strerror(errno));
  return parse_plan(text.str());
}

// --- frames ----------------------------------------------------------------------------------------------------------

// One header line: `cell=.. key=value ... `; `count` is added by the writer.
class Header {
 public:
  Header(std::int64_t cell, std::string_view kernel, std::string_view series) {
    add("cell", cell);
    add("kernel", kernel);
    add("series", series);
  }
  Header& add(std::string_view key, std::string_view value) {
    if (!line_.empty()) line_ += ' ';
    line_.append(key).append("=").append(encode(value));
    return *this;
  }
  Header& add(std::string_view key, const char* value) { return add(key, std::string_view(value)); }
  Header& add(std::string_view key, std::int64_t value) { return add(key, std::to_string(value)); }
  Header& add(std::string_view key, double value) {
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text << value;
    return add(key, text.str());
  }
  const std::string& line() const { return line_; }

 private:
  std::string line_;
};

// The samples file; only rank 0 has one. Each frame is flushed, so a launch that dies keeps what came before.
class Writer {
 public:
  explicit Writer(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "ab")) {
    if (!file_) throw WriteError("cannot write " + path_ + ": " + std::strerror(errno));
  }
  ~Writer() { std::fclose(file_); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Values are written little-endian, whatever the machine.
  void frame(const Header& header, const std::int64_t* values = nullptr, std::size_t count = 0) {
    const auto line = header.line() + " count=" + std::to_string(count) + "\n";
    bool good = std::fwrite(line.data(), 1, line.size(), file_) == line.size();
    for (std::size_t i = 0; good && i < count; ++i) {
      unsigned char bytes[8];
      for (int shift = 0; shift < 8; ++shift)
        bytes[shift] = static_cast<unsigned char>(static_cast<std::uint64_t>(values[i]) >> (8 * shift));
      good = std::fwrite(bytes, 1, 8, file_) == 8;
    }
    finish(good);
  }

  // A frame of facts that another rank has made: its header line, without the count.
  void line(std::string_view header) {
    const auto text = std::string(header) + " count=0\n";
    finish(std::fwrite(text.data(), 1, text.size(), file_) == text.size());
  }

 private:
  void finish(bool good) {
    if (!good || std::fflush(file_) != 0)
      throw WriteError("cannot write " + path_ + ": " + std::strerror(errno));
  }

  std::string path_;
  std::FILE* file_;
};

}  // namespace msgauge::wire
