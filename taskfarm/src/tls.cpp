#include "tls.hpp"

#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <memory>

#include "failure.hpp"
#include "file_size_limit.hpp"
#include "socket.hpp"

namespace taskfarm {
namespace {

constexpr std::size_t key_bytes = 32;
constexpr std::size_t longest_record = SSL3_RT_MAX_PLAIN_LENGTH, read_at_once = 65536;
constexpr const char* psk_identity = "taskfarm";
constexpr unsigned char aes_128_gcm_sha256[] = {0x13, 0x01};
constexpr unsigned char session_context[] = "taskfarm";

std::string last_openssl_error() {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  if (code == 0) return "connection closed";
  const char* reason = ERR_reason_error_string(code);
  if (reason == nullptr && ERR_SYSTEM_ERROR(code)) reason = std::strerror(ERR_GET_REASON(code));  // of a file, say
  return reason == nullptr ? "OpenSSL error " + std::to_string(code) : reason;
}

// The queue is the thread's, and what lies in it would be taken for an error of the next call.
void forget_errors_of_others() {
  if (ERR_peek_error() != 0) ERR_clear_error();
}

std::string from_hexadecimal(const std::string& text, const std::string& path) {
  const auto wrong = [&] {
    return Failure(TF_SECURITY, path + ": not 64 hexadecimal digits; make a key with: taskfarm key FILE");
  };
  if (text.size() != 2 * key_bytes) throw wrong();
  std::string key;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    if (!isxdigit(static_cast<unsigned char>(text[i])) || !isxdigit(static_cast<unsigned char>(text[i + 1]))) throw wrong();
    key += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
  }
  return key;
}

// A file that nobody else may read. That of a certificate may be the computer's own, for which there is a group: root:ssl-cert.
Descriptor open_secret(const std::string& path, bool may_be_of_root, const char* remedy) {
  Descriptor fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // of a pipe nobody may ever open the other end
  if (!fd.open()) throw Failure(TF_SECURITY, path + ": " + std::strerror(errno) + "; " + remedy);
  struct stat status;
  if (fstat(fd.get(), &status) != 0) fail_system(path);
  if (!S_ISREG(status.st_mode)) throw Failure(TF_SECURITY, path + ": no regular file, so no key; " + remedy);
  const bool of_root = may_be_of_root && status.st_uid == 0;
  if ((status.st_mode & (of_root ? 037 : 077)) != 0)
    throw Failure(TF_SECURITY, path + ": others may read it; remedy: chmod 600 " + path + ", and make a new key");
  if (!of_root && status.st_uid != geteuid())
    throw Failure(TF_SECURITY, path + ": belongs to another user; make a key of your own");
  return fd;
}

std::string read_key(const std::string& path) {
  const Descriptor fd = open_secret(path, false, "make a key with: taskfarm key FILE");
  char text[256];
  const ssize_t got = read(fd.get(), text, sizeof text);
  if (got < 0) fail_system(path);
  std::string digits(text, static_cast<std::size_t>(got));
  const bool whole = digits.size() < sizeof text;
  while (whole && !digits.empty() && isspace(static_cast<unsigned char>(digits.back()))) digits.pop_back();
  return from_hexadecimal(digits, path);
}

SSL_SESSION* psk_session(SSL* ssl, const std::string& key) {
  SSL_SESSION* session = SSL_SESSION_new();
  const SSL_CIPHER* cipher = SSL_CIPHER_find(ssl, aes_128_gcm_sha256);
  if (session == nullptr || cipher == nullptr ||
      SSL_SESSION_set1_master_key(session, reinterpret_cast<const unsigned char*>(key.data()), key.size()) != 1 ||
      SSL_SESSION_set_cipher(session, cipher) != 1 || SSL_SESSION_set_protocol_version(session, TLS1_3_VERSION) != 1) {
    SSL_SESSION_free(session);
    return nullptr;
  }
  return session;
}

const std::string& key_of(SSL* ssl) {
  return *static_cast<const std::string*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
}

int find_session(SSL* ssl, const unsigned char* identity, size_t length, SSL_SESSION** session) {
  *session = nullptr;
  if (std::string_view(reinterpret_cast<const char*>(identity), length) != psk_identity) return 1;  // unknown: no session
  *session = psk_session(ssl, key_of(ssl));
  return *session != nullptr;
}

int use_session(SSL* ssl, const EVP_MD* digest, const unsigned char** identity, size_t* length, SSL_SESSION** session) {
  *session = nullptr;
  if (digest != nullptr && EVP_MD_get_type(digest) != NID_sha256) return 1;
  *session = psk_session(ssl, key_of(ssl));
  *identity = reinterpret_cast<const unsigned char*>(psk_identity);
  *length = std::strlen(psk_identity);
  return *session != nullptr;
}

long control_socket(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

int no_passphrase(char*, int, int, void*) { return -1; }  // OpenSSL's own asks for it on the terminal, and waits

bool use_private_key(SSL_CTX* context, const std::string& path) {
  const Descriptor fd = open_secret(path, true, "give certificate, certificate key and ca, all three as PEM");
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new_fd(fd.get(), BIO_NOCLOSE), BIO_free);
  if (!bio) return false;
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
      PEM_read_bio_PrivateKey(bio.get(), nullptr, no_passphrase, nullptr), EVP_PKEY_free);
  if (key) return SSL_CTX_use_PrivateKey(context, key.get()) == 1;
  if (ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_BAD_PASSWORD_READ) return false;
  ERR_clear_error();
  throw Failure(TF_SECURITY, path + ": it has a passphrase, and nobody is asked for one; remedy: openssl pkey -in " + path +
                                 " -out FILE, and chmod 600 FILE");
}

void load_certificates(SSL_CTX* context, const Credentials& c) {
  const auto need = [](bool good, const std::string& file) {
    if (!good) throw Failure(TF_SECURITY, (file.empty() ? "a certificate option" : file) + ": " + last_openssl_error() +
                                              "; give certificate, certificate key and ca, all three as PEM");
  };
  need(!c.certificate_file.empty() && SSL_CTX_use_certificate_chain_file(context, c.certificate_file.c_str()) == 1,
       c.certificate_file);
  need(!c.certificate_key_file.empty() && use_private_key(context, c.certificate_key_file), c.certificate_key_file);
  if (SSL_CTX_check_private_key(context) != 1) {  // of another kind: OpenSSL has room for one of each
    ERR_clear_error();
    throw Failure(TF_SECURITY, c.certificate_key_file + ": key values mismatch: it is of another kind than " +
                                   c.certificate_file + "; give the key that this certificate was made for");
  }
  need(!c.ca_file.empty() && SSL_CTX_load_verify_locations(context, c.ca_file.c_str(), nullptr) == 1, c.ca_file);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
}

}  // namespace

void make_key_file(const std::string& path) {
  if (path.empty()) throw Failure(TF_INVALID, "the name of the key's file is empty; give one");
  unsigned char key[key_bytes];
  if (RAND_bytes(key, sizeof key) != 1) throw Failure(TF_SYSTEM, "no random bytes: " + last_openssl_error());
  std::string text;
  for (const unsigned char byte : key) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  text += '\n';
  Descriptor fd(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd.open())
    throw Failure(TF_SYSTEM, path + ": " + std::strerror(errno) + "; " +
                                 (errno == EEXIST ? "a key is never overwritten: give another name, or remove that file"
                                                  : "give a file in a folder that is there, and that you may write to"));
  const FileSizeSignal none;
  if (write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) fail_system(path);
}

TlsContext::TlsContext(const Credentials& credentials, bool server) {
  if (!credentials.key_file.empty() && !credentials.certificate_file.empty())
    throw Failure(TF_SECURITY, "a key file and certificates are given; choose one");
  if (!credentials.key_file.empty()) key_ = read_key(credentials.key_file);
  context_ = SSL_CTX_new(server ? TLS_server_method() : TLS_client_method());
  if (context_ == nullptr) throw Failure(TF_SYSTEM, "SSL_CTX_new: " + last_openssl_error());
  SSL_CTX_set_min_proto_version(context_, TLS1_3_VERSION);
  SSL_CTX_set_mode(context_, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_read_ahead(context_, 1);  // one call to the system takes whole records, as many as there are
  SSL_CTX_set_default_read_buffer_len(context_, read_at_once);
  SSL_CTX_set_num_tickets(context_, 0);
  SSL_CTX_set_session_cache_mode(context_, SSL_SESS_CACHE_OFF);
  if (server) SSL_CTX_set_session_id_context(context_, session_context, sizeof session_context);
  SSL_CTX_set_ciphersuites(context_, "TLS_AES_128_GCM_SHA256");
  try {
    if (key_.empty()) {
      load_certificates(context_, credentials);
    } else {
      SSL_CTX_set_app_data(context_, &key_);
      server ? SSL_CTX_set_psk_find_session_callback(context_, find_session)
             : SSL_CTX_set_psk_use_session_callback(context_, use_session);
      // Without a certificate a client that falls back from the key has nothing to verify; it must not go on.
      SSL_CTX_set_verify(context_, SSL_VERIFY_PEER, nullptr);
    }
  } catch (...) {
    SSL_CTX_free(context_);
    throw;
  }
}

TlsContext::~TlsContext() { SSL_CTX_free(context_); }

TlsSession::TlsSession(const TlsContext& context, int fd, bool server) : session_(SSL_new(context.get())), fd_(fd) {
  BIO* bio = socket_bio(*this);
  if (session_ == nullptr || bio == nullptr) {
    SSL_free(session_);
    BIO_free(bio);
    throw Failure(TF_SYSTEM, "SSL_new: " + last_openssl_error());
  }
  SSL_set_bio(session_, bio, bio);
  server ? SSL_set_accept_state(session_) : SSL_set_connect_state(session_);
}

TlsSession::~TlsSession() { SSL_free(session_); }

int TlsSession::handshake() {
  forget_errors_of_others();
  const ssize_t code = judge(SSL_do_handshake(session_));
  if (code > 0) return 1;
  return code < 0 && errno == EAGAIN ? 0 : -1;
}

// OpenSSL gives one record at a time; frames that lie across two would be put together anew.
ssize_t TlsSession::read(void* data, std::size_t bytes) {
  std::size_t total = 0;
  forget_errors_of_others();
  do {
    const int room = static_cast<int>(std::min<std::size_t>(bytes - total, INT_MAX));
    const ssize_t got = judge(SSL_read(session_, static_cast<char*>(data) + total, room));
    ended_ = got == 0 || (got < 0 && errno != EAGAIN);
    if (got <= 0) return total > 0 ? static_cast<ssize_t>(total) : got;
    total += static_cast<std::size_t>(got);
  } while (total < bytes && pending());
  return static_cast<ssize_t>(total);
}

ssize_t TlsSession::write(const void* data, std::size_t bytes, bool more) {
  more_ = more || bytes > longest_record;
  forget_errors_of_others();
  return judge(SSL_write(session_, data, static_cast<int>(std::min(bytes, longest_record))));
}

// OpenSSL's own socket BIO writes without MSG_NOSIGNAL: a peer that is gone would end the process by SIGPIPE. And it cannot
// tell that more records follow, so that the other side would wake for the first.
int TlsSession::send_record(BIO* bio, const char* data, int bytes) {
  const auto& session = *static_cast<const TlsSession*>(BIO_get_data(bio));
  const int flags = MSG_NOSIGNAL | MSG_DONTWAIT | (session.more_ ? MSG_MORE : 0);
  const ssize_t count = send(session.fd_, data, static_cast<std::size_t>(bytes), flags);
  BIO_clear_retry_flags(bio);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) BIO_set_retry_write(bio);
  return static_cast<int>(count);
}

int TlsSession::receive_records(BIO* bio, char* data, int bytes) {
  const auto& session = *static_cast<const TlsSession*>(BIO_get_data(bio));
  const ssize_t count = recv(session.fd_, data, static_cast<std::size_t>(bytes), MSG_DONTWAIT);
  BIO_clear_retry_flags(bio);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) BIO_set_retry_read(bio);
  return static_cast<int>(count);
}

BIO* TlsSession::socket_bio(TlsSession& session) {
  static BIO_METHOD* const method = [] {
    BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket without signals");
    BIO_meth_set_write(made, send_record);
    BIO_meth_set_read(made, receive_records);
    BIO_meth_set_ctrl(made, control_socket);
    return made;
  }();
  BIO* bio = BIO_new(method);
  if (bio == nullptr) return nullptr;
  BIO_set_data(bio, &session);
  BIO_set_init(bio, 1);
  return bio;
}

bool TlsSession::pending() const { return ended_ || SSL_has_pending(session_) != 0; }

ssize_t TlsSession::judge(int code) {
  wants_write_ = false;
  if (code > 0) return code;
  switch (SSL_get_error(session_, code)) {
    case SSL_ERROR_WANT_WRITE:
      wants_write_ = true;
      [[fallthrough]];
    case SSL_ERROR_WANT_READ:
      errno = EAGAIN;
      return -1;
    case SSL_ERROR_ZERO_RETURN:
      return 0;
    default: {
      const int system_error = errno;
      reason = last_openssl_error();
      if (const long verdict = SSL_get_verify_result(session_); verdict != X509_V_OK)  // else it is the other side's
        reason += std::string(" (") + X509_verify_cert_error_string(verdict) + ")";
      errno = system_error == 0 || system_error == EAGAIN ? ECONNRESET : system_error;
      return -1;
    }
  }
}

}  // namespace taskfarm
