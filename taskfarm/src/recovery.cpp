// The journal: what a coordinator that ended in any way had promised is taken over, and the file kept as small as what lives.
#include "failure.hpp"
#include "farm.hpp"

namespace taskfarm {
namespace {

constexpr std::size_t written_at_once = 1 << 20;  // of a file that is written anew
constexpr std::size_t record_overhead = 96;  // of a task in the journal, beside its payload: no more
constexpr std::uint64_t reserve_at_least = 16 << 10;
// What a rewrite is to gain, in quarters of what is alive.
constexpr std::uint64_t worth_when_refused = 3, worth_before_more = 1;
constexpr std::int64_t relief_each_ns = 1000 * ns_per_ms;
// More tasks than these no farm lives to give out, nor waits one while so many others come: such an id is an error of the file,
// and a table up to it would fill the memory.
constexpr std::uint64_t last_id = 1ULL << 48, longest_wait = 1ULL << 38;

}  // namespace

void Farm::recover() {
  journal_ = std::make_unique<Journal>(options_.journal_path, options_.journal_sync != 0);
  now_ = now_ns();
  journal_->read([&](const Record& record) { take_over(record); });
  check_recovered();
  counts_.submitted = tasks_.end() - 1;
  ordered_next_ = tasks_.end();
  tasks_.each([this](std::uint64_t id, const Task& task) {
    ++counts_.recovered;
    bytes_held_ += task.payload.size();
    if (ordered_next_ == tasks_.end()) ordered_next_ = id;
    if (task.state == Task::State::finished) {
      result_bytes_ += task.payload.size();
      if (options_.ordered == 0) ready_.push_back(id);
    } else {
      queue_.push_back(id);
      ++queued_;
      if (task.deadline_ns != never) deadlines_.add(task.deadline_ns, id);
    }
  });
  counts_.delivered = counts_.submitted - counts_.recovered;
  if (options_.ordered != 0) make_ready();
  for (const auto& [key, b] : broadcasts_) broadcast_bytes_ += b.payload.size();
  journal_->rewrite([this] { record_all(); });
  keep_reserve();
}

// What is beyond the limit of this farm no worker would take: each would drop its connection, and take down what else it has.
void Farm::check_recovered() {
  std::size_t most = 0;
  for (const auto& [key, b] : broadcasts_) most = std::max(most, b.payload.size());
  tasks_.each([&](std::uint64_t, const Task& task) {
    if (task.state != Task::State::finished) most = std::max(most, task.payload.size());
  });
  if (most > options_.max_frame_bytes)
    throw Failure(TF_TOOBIG, "journal " + options_.journal_path + ": it has a task or broadcast of " + std::to_string(most) +
                                 " bytes, beyond max_frame_bytes (" + std::to_string(options_.max_frame_bytes) +
                                 "); start with at least so many");
}

void Farm::take_over(const Record& r) {
  const bool names_task = r.type == RecordType::task || r.type == RecordType::farm;
  if (names_task && (r.id > last_id || (tasks_.size() > 0 && r.id > tasks_.begin() + longest_wait)))
    throw Failure(TF_INVALID, "journal " + options_.journal_path + ": a record names task " + std::to_string(r.id) +
                                  ", which no farm has given; take a copy of it from before, or another name");
  if (r.type == RecordType::farm) {
    if (r.payload.size() == farm_id_.size()) std::memcpy(farm_id_.data(), r.payload.data(), farm_id_.size());
    if (r.id > tasks_.end()) tasks_.start_at(r.id);
  } else if (r.type == RecordType::task && r.id >= tasks_.end()) {
    Task& task = *tasks_.find(tasks_.create(r.id));
    task.payload = Payload(payloads_, r.payload);
    if (r.value > 0) task.deadline_ns = now_ + static_cast<std::int64_t>(r.value) * ns_per_ms;
  } else if (r.type == RecordType::broadcast && r.payload.size() >= 2) {
    std::uint16_t key_bytes;
    std::memcpy(&key_bytes, r.payload.data(), 2);
    if (r.payload.size() < 2U + key_bytes) return;
    broadcasts_[std::string(r.payload.substr(2, key_bytes))] = {r.id, Payload(payloads_, r.payload)};
    broadcast_versions_ = std::max(broadcast_versions_, r.id);
  } else if (Task* task = tasks_.find(r.id); task != nullptr) {
    if (r.type == RecordType::result) {
      task->payload = Payload(payloads_, r.payload);
      task->state = Task::State::finished;
      task->status = r.status;
      task->attempt = static_cast<std::uint16_t>(r.value);
    } else if (r.type == RecordType::handed_out) {
      task->redelivered = true;
    } else if (r.type == RecordType::suspected) {
      ++task->suspected;
      task->alone = true;
      if (!task->reasons) task->reasons = std::make_unique<std::string>();
      *task->reasons += r.payload;
    } else if (r.type == RecordType::pardoned) {
      task->pardon(r.value);
    } else if (r.type == RecordType::delivered) {
      tasks_.remove(r.id);
    }
  }
}

// All that lives, as records from which the same comes again.
void Farm::record_all() {
  // The first task id of what follows is not known to `create` otherwise; the next one stands at the end.
  journal_->add({RecordType::farm, 0, 0, 0, {reinterpret_cast<const char*>(farm_id_.data()), farm_id_.size()}});
  for (const auto& [key, b] : broadcasts_) journal_->add({RecordType::broadcast, 0, b.version, 0, b.payload.view()});
  tasks_.each([this](std::uint64_t id, const Task& task) { record_task(id, task); });
  for (const std::uint64_t id : handed_out_) journal_->add({RecordType::handed_out, 0, id, 0, {}});
  journal_->add({RecordType::farm, 0, tasks_.end(), 0, {}});
}

void Farm::record_task(std::uint64_t id, const Task& task) {
  const bool finished = task.state == Task::State::finished;
  const std::string_view payload = task.payload.view();
  journal_->add({RecordType::task, 0, id, milliseconds_left(task.deadline_ns), finished ? std::string_view{} : payload});
  for (int i = 0; task.reasons && i < task.suspected; ++i)
    journal_->add({RecordType::suspected, 0, id, 0, i == 0 ? std::string_view(*task.reasons) : ""});
  if (finished) journal_->add({RecordType::result, task.status, id, task.attempt, payload});
  if (finished && task.redelivered) journal_->add({RecordType::handed_out, 0, id, 0, {}});
  if (journal_->buffered() > written_at_once) journal_->write_or_fail();
}

// For the journal, where 0 means none; one that has passed ends the task as soon as it is taken over.
std::uint64_t milliseconds_left(std::int64_t deadline_ns) {
  return deadline_ns == never ? 0 : static_cast<std::uint64_t>(std::max<std::int64_t>(deadline_ns - now_ns(), 0) / ns_per_ms) + 1;
}

// What is buffered, once more after it failed; and the file anew when most of it is of tasks that are no more.
void Farm::keep_journal() {
  if (!journal_) return;
  const bool more = journal_->buffered() > 0;
  if (!write_journal()) ++counts_.journal_errors;
  if (journal_->wants_rewrite() && !rewrite_journal()) journal_->put_rewrite_off();
  if (more) keep_reserve();
}

bool Farm::rewrite_journal() {
  try {
    journal_->rewrite([this] { record_all(); });
    keep_reserve();
    return true;
  } catch (const std::exception&) {
    ++counts_.journal_errors;
    return false;
  }
}

bool Farm::write_journal() { return journal_->write() || (relieve_journal() && journal_->write()); }

// After the file system has refused. Where a rewrite would gain little, the file may have what it would not need of its reserve.
// Leaves errno as it is.
bool Farm::relieve_journal() {
  const int reason = errno;
  const bool full = reason == ENOSPC || reason == EDQUOT;
  const bool done = compact_journal(worth_when_refused) || (full && journal_->give_back(alive_in_journal() + reserve_at_least / 2));
  errno = reason;
  return done;
}

// The file anew, where enough of it is of no use any more. On a small disk that comes long before the size at which it is done
// anyway. What failed is not tried at each call.
bool Farm::compact_journal(std::uint64_t worth) {
  const std::int64_t now = now_ns();
  if (4 * journal_->bytes() <= (4 + worth) * alive_in_journal() || now < next_relief_ns_) return false;
  const bool done = rewrite_journal();
  if (!done) next_relief_ns_ = now + relief_each_ns;
  return done;
}

std::uint64_t Farm::alive_in_journal() const {
  return bytes_held_ + broadcast_bytes_ + record_overhead * (tasks_.size() + broadcasts_.size());
}

// For all that is alive to be written anew, and for the file to grow until that pays.
std::uint64_t Farm::reserve_for(std::uint64_t alive) { return alive + alive * worth_when_refused / 4 + reserve_at_least; }

// Before so much more is alive: a file that had filled the disk would have nowhere to be written anew, however little of it were
// alive later. And for that to be written now, which may have it of the reserve. False when there is no room: errno says why.
bool Farm::reserve_journal(std::uint64_t bytes, std::size_t records) {
  const std::uint64_t more = bytes + record_overhead * records;
  const auto reserve = [&] { return journal_->reserve(reserve_for(alive_in_journal() + more) + more); };
  if (reserve()) return true;
  const int reason = errno;
  const bool done = compact_journal(worth_before_more) && reserve();
  errno = reason;
  return done;
}

// After what is not refused for want of it: results, of which the next rewrite may need more.
void Farm::keep_reserve() {
  const std::int64_t now = now_ns();
  if (now >= next_reserve_ns_ && !journal_->reserve(reserve_for(alive_in_journal()))) next_reserve_ns_ = now + relief_each_ns;
}

void Farm::journal_failed(const char* what) {
  const std::string reason = std::strerror(errno);
  ++counts_.journal_errors;
  throw Failure(TF_JOURNAL, "the journal cannot be written: " + options_.journal_path + ": " + reason + "; " + what);
}

}  // namespace taskfarm
