// A memory cgroup with a low limit, for those who are to be ended by the kernel's OOM killer; where cgroups cannot be
// written it is not there. Version 1 and 2.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

class MemoryCgroup {
 public:
  explicit MemoryCgroup(std::size_t bytes) {
    for (const auto& parent : {parent_of_version_1(), parent_of_version_2()}) {
      if (parent.empty()) continue;
      std::error_code error;
      path_ = parent / ("taskfarm-chaos-" + std::to_string(getpid()));
      if (!std::filesystem::create_directory(path_, error)) continue;
      const std::string limit = std::to_string(bytes);
      if (put("memory.limit_in_bytes", limit) || put("memory.max", limit)) {
        put("memory.memsw.limit_in_bytes", limit) || put("memory.swap.max", "0");
        return;
      }
      std::filesystem::remove(path_, error);
    }
    path_.clear();
  }
  ~MemoryCgroup() {
    std::error_code error;  // the kernel needs a moment to forget the dead
    for (int i = 0; i < 100 && !path_.empty() && !std::filesystem::remove(path_, error); ++i) usleep(10'000);
  }
  MemoryCgroup(const MemoryCgroup&) = delete;

  bool there() const { return !path_.empty(); }
  bool enter() const { return there() && put("cgroup.procs", std::to_string(getpid())); }
  // How many the OOM killer has ended there; -1: there is no cgroup, or the kernel does not say.
  long killed() const {
    for (const char* name : {"memory.oom_control", "memory.events"}) {
      std::ifstream file(path_ / name);
      std::string word;
      for (long count; file >> word >> count;)
        if (word == "oom_kill") return count;
    }
    return -1;
  }

 private:
  bool put(const char* name, const std::string& text) const {
    if (!std::filesystem::exists(path_ / name)) return false;
    std::ofstream file(path_ / name);
    file << text << std::flush;
    return file.good();
  }

  // The cgroup of this process below the mount of the memory controller.
  static std::filesystem::path parent_of_version_1() {
    return below(mount("cgroup", "memory"), membership("memory"));
  }
  // The nearest one above this process that hands the memory controller down; it may have cgroups only.
  static std::filesystem::path parent_of_version_2() {
    const std::filesystem::path root = mount("cgroup2", "");
    for (auto path = below(root, membership("")); !path.empty(); path = path.parent_path()) {
      std::ifstream file(path / "cgroup.subtree_control");
      for (std::string word; file >> word;)
        if (word == "memory") return path;
      if (path == root) break;
    }
    return {};
  }
  static std::filesystem::path below(const std::filesystem::path& mount, const std::string& inside) {
    if (mount.empty() || inside.empty()) return {};
    return inside == "/" ? mount : mount / inside.substr(1);
  }
  static std::filesystem::path mount(const std::string& kind, const std::string& controller) {
    std::ifstream file("/proc/self/mounts");
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string device, path, type, options;
      words >> device >> path >> type >> options;
      if (type == kind && ("," + options + ",").find(controller.empty() ? "," : "," + controller + ",") != std::string::npos)
        return path;
    }
    return {};
  }
  static std::string membership(const std::string& controller) {
    std::ifstream file("/proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {
      const auto first = line.find(':'), second = line.find(':', first + 1);
      if (second == std::string::npos) continue;
      if (line.substr(first + 1, second - first - 1) == controller) return line.substr(second + 1);
    }
    return {};
  }

  std::filesystem::path path_;
};
