// What may happen to a farm, each told to the model.
#include <fstream>

#include "stateful.hpp"

namespace taskfarm {

std::string Stateful::bytes() {
  const unsigned size = one_in(12) ? 3000 + below(20'000) : below(200);
  return std::string(size, static_cast<char>('a' + below(26)));
}

void Stateful::submit() {
  std::vector<std::string> payloads(one_in(3) ? 1 + below(8) : 1);
  std::vector<tf_buffer> buffers;
  for (std::string& payload : payloads) {
    payload = bytes();
    buffers.push_back({payload.data(), payload.size()});
  }
  tf_task_options options{sizeof options, one_in(4) ? 3'600'000U : one_in(15) ? 1 + below(3) : 0U};
  const std::int64_t deadline = options.deadline_ms == 0 ? never : now_ns() + options.deadline_ms * ns_per_ms;
  const auto sums = model_.sums();
  std::uint64_t first = 0;
  const std::uint64_t most = options_.high_water_tasks;
  const std::uint64_t room = most - std::min<std::uint64_t>(most, sums.outstanding + sums.ended);
  std::size_t accepted = 0;
  const int code = tf_submit_many(farm_, buffers.data(), buffers.size(), &options, 0, &first, &accepted);
  tell("submit " + std::to_string(payloads.size()) + " deadline " + std::to_string(options.deadline_ms) + ": " +
       std::to_string(accepted));
  must(code >= 0, "submit: " + std::string(tf_error()));
  must((code == TF_OK) == (accepted == payloads.size()), "AGAIN where some were not accepted, and only there");
  must(accepted == std::min<std::uint64_t>(room, payloads.size()), "as many are accepted as there is room for");
  for (std::size_t i = 0; i < accepted; ++i) model_.submitted(first + i, payloads[i], deadline);
}

Stateful::Place* Stateful::someone(bool with_tasks) {
  std::vector<Place*> found;
  for (Place& place : places_)
    if (place.peer && place.peer->stage() == Stage::ready && (!with_tasks || !place.peer->window().empty()))
      found.push_back(&place);
  return found.empty() ? nullptr : found[below(static_cast<unsigned>(found.size()))];
}

void Stateful::send_answer(Place& place, std::size_t which) {
  auto& window = place.peer->window();
  const Held held = window[which];
  const bool fails = one_in(6), holds = !place.peer->shared() && one_in(5);
  const std::string payload = bytes();
  window.erase(window.begin() + static_cast<std::ptrdiff_t>(which));
  answered_.push_back(held);
  if (answered_.size() > 20) answered_.pop_front();
  const std::string frame = ScriptedWorker::answer_to(held, fails ? FrameType::failure : FrameType::result, payload, holds);
  for (std::size_t at = 0, part; at < frame.size(); at += part) {
    part = one_in(4) ? 1 + below(static_cast<unsigned>(frame.size())) : frame.size();
    part = std::min(part, frame.size() - at);
    if (at > 0) turn();
    place.peer->put(std::string_view(frame).substr(at, part));
  }
  place.peer->holds_back(holds);
  tell("worker " + std::to_string(&place - places_.data()) + " answers " + std::to_string(held.id));
  model_.answered(held.id, fails ? TF_FAILED : TF_DONE, payload);
}

void Stateful::answer() {
  Place* const place = someone(true);
  if (place == nullptr) return;
  place->peer->start(place->peer->window().front().id);
  send_answer(*place, one_in(8) ? below(static_cast<unsigned>(place->peer->window().size())) : 0);
  if (place->peer->shared()) place->peer->start(0);
}

// What it held when its connection was lost, and that nobody answered meanwhile.
void Stateful::answer_former() {
  Place* const place = someone(false);
  if (place == nullptr || place->former.empty()) return;
  const std::size_t which = below(static_cast<unsigned>(place->former.size()));
  const Held held = place->former[which];
  place->former.erase(place->former.begin() + static_cast<std::ptrdiff_t>(which));
  const std::string payload = bytes();
  place->peer->put(ScriptedWorker::answer_to(held, FrameType::result, payload, place->peer->holding()));
  tell("worker " + std::to_string(place - places_.data()) + " answers what it had before: " + std::to_string(held.id));
  model_.answered(held.id, TF_DONE, payload);
}

// Once more, or what it never had.
void Stateful::answer_foreign() {
  Place* const place = someone(false);
  if (place == nullptr) return;
  Held held{1 + below(static_cast<unsigned>(model_.tasks().size() + 3)), static_cast<std::uint16_t>(below(6)), false};
  if (!answered_.empty() && one_in(2)) held = answered_[below(static_cast<unsigned>(answered_.size()))];
  const auto same = [&](const Held& other) { return other.id == held.id && other.attempt == held.attempt; };
  for (const auto* has : {&place->peer->window(), &place->former})
    if (std::any_of(has->begin(), has->end(), same)) return;
  place->peer->put(ScriptedWorker::answer_to(held, one_in(2) ? FrameType::result : FrameType::failure, "foreign"));
  tell("worker " + std::to_string(place - places_.data()) + " answers foreign " + std::to_string(held.id));
  ++model_.counted.unwanted;
}

// Those that were cancelled may be skipped; who skips another breaks the protocol.
void Stateful::skip() {
  for (Place& place : places_) {
    if (!place.peer || place.peer->stage() != Stage::ready) continue;
    auto& window = place.peer->window();
    const auto at = std::find_if(window.begin(), window.end(), [](const Held& held) { return held.cancelled; });
    if (at == window.end()) continue;
    place.peer->put(ScriptedWorker::answer_to(*at, FrameType::skipped, {}));
    tell("worker " + std::to_string(&place - places_.data()) + " skips " + std::to_string(at->id));
    window.erase(at);
    return;
  }
}

void Stateful::say_what_runs() {
  Place* const place = someone(true);
  if (place == nullptr) return;
  const auto& window = place->peer->window();
  const std::uint64_t id = one_in(4) ? 0 : window[one_in(3) ? below(static_cast<unsigned>(window.size())) : 0].id;
  tell("worker " + std::to_string(place - places_.data()) + " runs " + std::to_string(id));
  if (place->peer->shared()) place->peer->start(id);
  else place->peer->beat(id);
}

std::uint64_t Stateful::started_on(const Place& place, bool leaves, bool dropped) const {
  auto& window = place.peer->window();
  const auto holds = [&](std::uint64_t id) {
    return id != 0 && std::any_of(window.begin(), window.end(), [&](const Held& held) { return held.id == id; });
  };
  if (window.empty()) return 0;
  if (place.peer->shared() && !dropped) return holds(place.peer->started()) ? place.peer->started() : 0;
  if (leaves) return 0;
  if (holds(place.peer->running())) return place.peer->running();
  return place.peer->holding() && window.size() > 1 ? 0 : window.front().id;
}

bool Stateful::held_by_others(std::uint64_t id, const Held* than) const {
  for (const Place& place : places_) {
    if (!place.peer) continue;
    for (const Held& held : place.peer->window())
      if (held.id == id && !held.cancelled && &held != than) return true;
  }
  return false;
}

bool Stateful::assigned(std::uint64_t id) const { return held_by_others(id, nullptr); }

// Its connection is over; the model learns what that means for all that it held.
void Stateful::lose(Place& place, std::uint64_t started, Blame blame) {
  auto& window = place.peer->window();
  while (!window.empty()) {
    Held held = window.back();
    const bool guilty = held.id == started && blame != Blame::none, counts = model_.outstanding(held.id) && assigned(held.id);
    model_.lost(held, guilty, assigned(held.id), held_by_others(held.id, &window.back()));
    held.blamed = guilty && counts && blame == Blame::until_back;
    place.former.push_front(held);
    window.pop_back();
  }
}

void Stateful::pardon(Place& place) {
  for (Held& held : place.former)
    if (std::exchange(held.blamed, false)) model_.pardoned(held);
}

void Stateful::die(bool after_answer) {
  Place* const place = someone(after_answer);
  if (place == nullptr || place->peer->has_unsent()) return;
  for (std::uint64_t id = 1; after_answer && id <= model_.tasks().size(); ++id)
    if (model_.outstanding(id) && !assigned(id)) return;  // it would be given to the dead one, by a socket, for a moment
  if (after_answer) send_answer(*place, 0);
  if (place->peer->has_unsent()) return;
  if (place->peer->shared() && one_in(2)) place->peer->start(0);
  tell("worker " + std::to_string(place - places_.data()) + " dies");
  ++model_.counted.lost;
  lose(*place, started_on(*place, false, false), Blame::until_back);
  place->peer->die();
}

void Stateful::leave() {
  Place* const place = someone(false);
  if (place == nullptr || place->peer->has_unsent()) return;
  const auto& window = place->peer->window();
  const Held named = window.empty() || one_in(3) ? Held{} : window[below(static_cast<unsigned>(window.size()))];
  const std::uint64_t started = place->peer->shared() ? started_on(*place, true, false) : named.id;
  Header header{.type = FrameType::leave, .attempt = named.attempt, .task = named.id};
  place->peer->put({reinterpret_cast<const char*>(&header), header_bytes});
  tell("worker " + std::to_string(place - places_.data()) + " leaves with " + std::to_string(named.id));
  ++model_.counted.left;
  lose(*place, started, Blame::for_good);
  place->peer->die();
}

void Stateful::break_protocol() {
  Place* const place = someone(false);
  if (place == nullptr || place->peer->has_unsent()) return;
  const auto& window = place->peer->window();
  Header header{.type = one_in(2) ? FrameType::task : FrameType{99}};
  const auto is_fresh = [&](const Held& held) { return !held.cancelled && model_.outstanding(held.id); };
  const auto fresh = std::find_if(window.begin(), window.end(), is_fresh);
  if (fresh != window.end() && one_in(2)) header = {.type = FrameType::skipped, .attempt = fresh->attempt, .task = fresh->id};
  const std::uint64_t started = started_on(*place, false, true);
  place->peer->put({reinterpret_cast<const char*>(&header), header_bytes});
  tell("worker " + std::to_string(place - places_.data()) + " breaks the protocol by type " +
       std::to_string(static_cast<int>(header.type)));
  ++model_.counted.protocol_errors;
  ++model_.counted.lost;
  lose(*place, started, Blame::for_good);
  place->peer->die();
}

// A new worker, or one that comes back, perhaps while its old connection stands.
void Stateful::connect() {
  if (places_.size() < 4 || (one_in(10) && places_.size() < 12)) {
    places_.emplace_back();
    places_.back().identity = random_identity();
  }
  Place& place = places_[below(static_cast<unsigned>(places_.size()))];
  const bool stands = place.peer && place.peer->stage() != Stage::gone;
  if (stands && (!one_in(6) || place.peer->has_unsent())) return;
  auto peer = std::make_unique<ScriptedWorker>(url_, place.identity, scene_.rings && !one_in(5));
  tell("worker " + std::to_string(&place - places_.data()) + (stands ? " connects beside itself" : " connects"));
  if (one_in(3)) {
    peer->greet(1 + below(40));
    turn();
    if (one_in(3)) return settle();  // it ends in the middle of its hello
    peer = std::make_unique<ScriptedWorker>(url_, place.identity, scene_.rings);
  }
  peer->greet();
  if (stands) {
    ++model_.counted.lost;
    lose(place, started_on(place, false, false), Blame::none);
    replaced_ = std::move(place.peer);  // it stands until the next step
  }
  pardon(place);
  ++(place.joined ? model_.counted.reconnects : model_.counted.joined);
  place.joined = true;
  place.peer = std::move(peer);
}

// Connections that are no workers yet, and end.
void Stateful::loiter() {
  std::vector<ScriptedWorker> loiterers;
  for (unsigned count = 1 + below(4); count > 0; --count) {
    loiterers.emplace_back(url_, random_identity(), false);
    if (one_in(2)) loiterers.back().put(std::string(1 + below(100), static_cast<char>(below(256))));
    if (one_in(2)) turn();
  }
  tell("loiterers come and go");
}

void Stateful::broadcast() {
  const std::string key = "key" + std::to_string(below(4)), data = bytes();
  must(tf_broadcast(farm_, key.c_str(), data.data(), data.size()) == TF_OK, "broadcast");
  tell("broadcast " + key);
  model_.broadcasts[key] = data;
  ++model_.broadcast_versions;
}

void Stateful::cancel() {
  if (model_.tasks().empty()) return;
  const auto count = static_cast<unsigned>(model_.tasks().size());
  const std::uint64_t id = one_in(4) ? 1 + below(count + 2) : count - below(std::min(count, 12U));
  const bool only_queued = one_in(2);
  const int code = tf_cancel(farm_, id, only_queued);
  tell("cancel " + std::to_string(id) + ": " + std::to_string(code));
  if (!model_.outstanding(id)) return must(code == TF_NOTFOUND, "cancel of what has ended, or never was");
  if (model_.of(id).deadline_ns < now_ns() + ns_per_ms && code == TF_NOTFOUND) return;
  if (only_queued && assigned(id)) return must(code == TF_BUSY, "cancel of what a worker has, says " + std::to_string(code));
  must(code == TF_OK, "cancel");
  model_.end(id, TF_CANCELLED);
}

void Stateful::rerun() {
  if (model_.tasks().empty()) return;
  const auto count = static_cast<unsigned>(model_.tasks().size());
  const std::uint64_t id = count - below(std::min(count, 12U));
  const int code = tf_rerun(farm_, id);
  tell("rerun " + std::to_string(id) + ": " + std::to_string(code));
  if (!model_.outstanding(id)) must(code == TF_NOTFOUND, "rerun of what has ended");
  else must(code == TF_OK || code == TF_AGAIN || model_.of(id).deadline_ns < now_ns() + ns_per_ms, "rerun");
}

// As if the coordinator were killed now, with results perhaps that were handed out and never confirmed.
void Stateful::restart() {
  if (!scene_.journal) return;
  if (one_in(2)) {
    answer();
    const auto until = now_ns() + 100 * ns_per_ms;
    tf_result results[3];
    for (std::size_t count = 0; count == 0 && now_ns() < until;) {
      pump();
      must(tf_next(farm_, results, 1 + below(3), 1, &count) >= 0, "next");
      model_.confirm();
      for (std::size_t i = 0; i < count; ++i) model_.delivered(results[i]);
    }
  }
  const std::string copy = scene_.folder + "/journal" + std::to_string(++journals_);
  std::filesystem::copy_file(journal_, copy);
  if (one_in(2)) std::ofstream(copy, std::ios::app) << std::string("\x40\0\0\0half a rec", 14);
  tell("the coordinator is killed, and restarted with its journal");
  for (Place& place : places_) place = Place{place.identity, nullptr, {}, false};
  tf_close(farm_, 0);
  farm_ = nullptr;
  std::filesystem::remove(journal_);
  model_.restarted();
  start(copy);
}

}  // namespace taskfarm
