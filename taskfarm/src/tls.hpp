// TLS 1.3 by OpenSSL: a pre-shared key with ECDHE, or certificates of both sides. Nothing home-made.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

struct bio_st;
struct ssl_ctx_st;
struct ssl_st;

namespace taskfarm {

struct Credentials {
  std::string key_file, certificate_file, certificate_key_file, ca_file;
  bool given() const {
    return !key_file.empty() || !certificate_file.empty() || !certificate_key_file.empty() || !ca_file.empty();
  }
};

void make_key_file(const std::string& path);

class TlsContext {
 public:
  TlsContext(const Credentials& credentials, bool server);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  ssl_ctx_st* get() const { return context_; }

 private:
  ssl_ctx_st* context_ = nullptr;
  std::string key_;
};

// One connection. No call blocks on a non-blocking descriptor; results as of read and write: -1 with errno EAGAIN, 0 at
// the end, -1 with another errno when the connection is broken.
class TlsSession {
 public:
  TlsSession(const TlsContext& context, int fd, bool server);
  ~TlsSession();
  TlsSession(const TlsSession&) = delete;
  int handshake();  // 1 done, 0 goes on, -1 failed: `reason` says why
  ssize_t read(void* data, std::size_t bytes);  // of all records that have come
  ssize_t write(const void* data, std::size_t bytes, bool more = false);  // one record; `more` follows at once
  bool wants_write() const { return wants_write_; }
  bool pending() const;  // bytes are waiting, or the end, that poll does not see
  std::string reason;

 private:
  static int send_record(bio_st* bio, const char* data, int bytes);
  static int receive_records(bio_st* bio, char* data, int bytes);
  static bio_st* socket_bio(TlsSession& session);
  ssize_t judge(int code);
  ssl_st* session_ = nullptr;
  int fd_;
  bool wants_write_ = false, more_ = false, ended_ = false;
};

}  // namespace taskfarm
