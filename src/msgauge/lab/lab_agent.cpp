// Run a command on a host of a lab, called as rsh and ssh are: what agent.py does, started in a millisecond. A launch on
// a hundred hosts calls it a hundred times.
//
//   lab_agent SOCKET [OPTIONS] [USER@]HOST COMMAND...
//
// Standard input, output and error are the program's own. The exit code is the program's, 128 + signal where one ended
// it, 255 where there is no such host. Options of rsh and ssh change nothing.
#include <pwd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr const char* with_value = "bcDEeFIiJLlmOopQRSWw";  // letters of options that are followed by a word

int refuse(const std::string& why) {
  std::fprintf(stderr, "agent: %s\n", why.c_str());
  return 255;
}

// A JSON string of any bytes: those beyond ASCII as Python's surrogates, which it turns back into the same bytes.
std::string quote(const std::string& text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    char escaped[8];
    if (code >= 0x80) std::snprintf(escaped, sizeof escaped, "\\udc%02x", code);
    else if (code < 0x20 || code == '"' || code == '\\' || code == 0x7f) std::snprintf(escaped, sizeof escaped, "\\u%04x", code);
    else escaped[0] = letter, escaped[1] = 0;
    quoted += escaped;
  }
  return quoted + "\"";
}

// The place of the first word that is no option; the user that one of them names.
std::size_t skip_options(const std::vector<std::string>& words, std::size_t place, std::string& user) {
  while (place < words.size() && !words[place].empty() && words[place][0] == '-' && words[place] != "--") {
    const auto& word = words[place];
    if (word.size() == 2 && std::strchr(with_value, word[1]) != nullptr && ++place < words.size() && word[1] == 'l')
      user = words[place];
    ++place;
  }
  return place + (place < words.size() && words[place] == "--" ? 1 : 0);
}

bool send_all(int connection, const char* data, std::size_t left) {
  while (left > 0) {
    const auto sent = send(connection, data, left, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    data += sent;
    left -= static_cast<std::size_t>(sent);
  }
  return true;
}

// The length of a request, eight bytes, with our standard descriptors beside it.
bool send_head(int connection, std::uint64_t length) {
  unsigned char head[8];
  for (int i = 0; i < 8; ++i) head[i] = static_cast<unsigned char>(length >> (56 - 8 * i));
  const int descriptors[3] = {0, 1, 2};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptors)] = {};
  iovec part{head, sizeof head};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  auto* beside = CMSG_FIRSTHDR(&message);
  beside->cmsg_level = SOL_SOCKET;
  beside->cmsg_type = SCM_RIGHTS;
  beside->cmsg_len = CMSG_LEN(sizeof descriptors);
  std::memcpy(CMSG_DATA(beside), descriptors, sizeof descriptors);
  return sendmsg(connection, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof head);
}

// What follows a key in the keeper's answer, which is one flat object of ours; whether it is there.
bool find(const std::string& answer, const std::string& key, std::string& value) {
  const auto place = answer.find("\"" + key + "\": ");
  if (place == std::string::npos) return false;
  value = answer.substr(place + key.size() + 4);
  return true;
}

int ask(const char* path, const std::string& request) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  const int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection < 0 || connect(connection, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    return refuse(std::string("the lab does not answer: ") + std::strerror(errno));
  if (!send_head(connection, request.size()) || !send_all(connection, request.data(), request.size()))
    return refuse("the lab has ended");
  std::string answer, value;
  char part[4096];
  ssize_t length = 0;
  while ((length = recv(connection, part, sizeof part, 0)) > 0) answer.append(part, static_cast<std::size_t>(length));
  if (answer.empty()) return refuse("the lab has ended");
  if (find(answer, "error", value)) return refuse(value.substr(1, value.rfind('"') - 1));
  if (find(answer, "signal", value)) return 128 + std::atoi(value.c_str());
  return find(answer, "exit", value) ? std::atoi(value.c_str()) : refuse("the lab answers in another language");
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + (count > 1 ? 2 : 1), arguments + count);
  std::string user;
  auto place = skip_options(words, 0, user);
  if (count < 2 || place >= words.size()) return refuse("no host is named");
  const auto& target = words[place];
  const auto at = target.rfind('@');
  const auto host = at == std::string::npos ? target : target.substr(at + 1);
  place = skip_options(words, place + 1, user);
  if (at != std::string::npos) user = target.substr(0, at);
  const auto* own = getpwuid(getuid());
  if (!user.empty() && (own == nullptr || user != own->pw_name))
    return refuse("cannot become '" + user + "' on '" + host + "': programs run there as the one that asks");
  if (place >= words.size()) return refuse("no command is named");
  std::string command = words[place];
  for (++place; place < words.size(); ++place) command += " " + words[place];
  return ask(arguments[1], R"({"do": "run", "host": )" + quote(host) + R"(, "shell": )" + quote(command) + "}");
}
