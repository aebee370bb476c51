#include "gates/worker/pool.h"

#include <algorithm>
#include <poll.h>
#include <sys/wait.h>

namespace kiln::gates {

WorkerProcess* Pool::start(const BootPlan& plan) {
  std::string error;
  std::unique_ptr<WorkerProcess> worker = WorkerProcess::start(isolate_, plan, &error);
  if (worker == nullptr) {
    trouble_ = error;
    return nullptr;
  }
  workers_.push_back(std::move(worker));
  return workers_.back().get();
}

void Pool::drop(WorkerProcess* worker) { remove(worker); }

void Pool::remove(WorkerProcess* worker) {
  watchdog_.forget(*worker);
  std::erase_if(workers_, [&](const auto& each) { return each.get() == worker; });
}

uint64_t Pool::peak_bytes() {
  for (const auto& worker : workers_)
    watchdog_.measure_memory(*worker);
  return watchdog_.peak_bytes();
}

bool Pool::has(const WorkerProcess* worker) const {
  return std::any_of(workers_.begin(), workers_.end(),
                     [&](const auto& each) { return each.get() == worker; });
}

void Pool::step(std::chrono::milliseconds most) {
  std::vector<pollfd> waits;
  std::vector<WorkerProcess*> order;
  for (const auto& worker : workers_) {
    waits.push_back({worker->socket(), POLLIN, 0});
    order.push_back(worker.get());
  }
  poll(waits.data(), waits.size(), static_cast<int>(most.count()));
  std::chrono::nanoseconds now = clock_.tick();
  for (size_t i = 0; i < waits.size(); ++i) {
    // A callback may have dropped a worker that was polled.
    if (!has(order[i])) continue;
    watchdog_.look(*order[i], now);
    if (waits[i].revents != 0) read_from(*order[i]);
  }
}

void Pool::read_from(WorkerProcess& worker) {
  Message message;
  MessageReader::State state = worker.reader().read_from(worker.socket(), &message);
  while (state == MessageReader::State::kMessage) {
    handle(worker, message);
    state = worker.reader().next(&message);
  }
  if (state == MessageReader::State::kGone) bury(worker);
}

void Pool::handle(WorkerProcess& worker, const Message& message) {
  if (message.kind != MessageKind::kBooted) {
    JobClient* client = worker.take_client();
    if (client != nullptr) client->on_done(worker, message);
    if (idle_ && !worker.busy()) idle_(worker);
    return;
  }
  Booted booted;
  if (!unpack(message.bytes, &booted)) return;
  worker.set_boot(booted);
  if (!booted.ok && !worker.may_fail_to_boot()) trouble_ = booted.error;
  bool usual = !worker.may_fail_to_boot();
  if (booted.ok && usual && !booted_.ok) booted_ = std::move(booted);
  if (!worker.take_boot_wait()) return;
  JobClient* client = worker.take_client();
  if (client != nullptr) client->on_done(worker, message);
}

WorkerEnd Pool::end_of(WorkerProcess& worker) {
  WorkerEnd end;
  Phase phase = worker.slot().running.load();
  end.death = {worker.reap(), worker.slot().killed.load()};
  end.in_input = phase == Phase::kInput || phase == Phase::kOtherFill || phase == Phase::kRepeat;
  if (WIFEXITED(end.death.wait_status) && WEXITSTATUS(end.death.wait_status) == kWorkerCannotGoOn) {
    end.in_input = false;
  }
  end.words = worker.words();
  if (!end.in_input) {
    end.trouble = phase == Phase::kBoot ? "A worker ended while it booted the machine: "
                                        : "A worker ended outside of any input: ";
    end.trouble += finding_of_death(end.death, worker.slot().note).headline;
  }
  return end;
}

void Pool::bury(WorkerProcess& worker) {
  WorkerEnd end = end_of(worker);
  bool fault = !killed_from_outside(end.death, worker.slot().note) && !worker.may_fail_to_boot();
  if (!worker.booted() && fault && trouble_.empty()) trouble_ = end.trouble;
  JobClient* client = worker.take_client();
  if (client != nullptr) client->on_end(worker, end);
  remove(&worker);
}

} // namespace kiln::gates
