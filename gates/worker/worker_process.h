#pragma once
// A worker as the supervisor holds it: the process, its socket, its slot, what it was asked.

#include <chrono>
#include <memory>
#include <string>
#include <sys/types.h>
#include <utility>

#include "gates/worker/boot_plan.h"
#include "gates/worker/channel.h"
#include "gates/worker/death.h"
#include "gates/worker/executor.h"
#include "gates/worker/jobs.h"
#include "gates/worker/worker_slot.h"

namespace kiln::gates {

class WorkerProcess;

/// How a worker ended while it had a job.
struct WorkerEnd {
  Death death{};
  bool in_input = false; ///< else the worker itself failed
  std::string words;     ///< what it printed last
  std::string trouble;   ///< one sentence, when it failed
};

/// Who asked for a job. Called from Pool::step.
class JobClient {
 public:
  virtual ~JobClient() = default;
  virtual void on_done(WorkerProcess& worker, const Message& answer) = 0;
  /// The worker is gone; its slot can still be read until this returns.
  virtual void on_end(WorkerProcess& worker, const WorkerEnd& end) = 0;
};

class WorkerProcess {
 public:
  /// Forks a worker, which starts to boot. Null and a sentence when that cannot be.
  static std::unique_ptr<WorkerProcess> start(Isolate isolate, const BootPlan& plan,
                                              std::string* error);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Asks; the answer goes to `client`. A worker that is gone is noticed by Pool::step.
  template <typename Job> void ask(MessageKind kind, const Job& job, JobClient& client) {
    client_ = &client;
    slot_->stop_at = UINT64_MAX;
    send(socket_, kind, job);
  }
  /// The client is answered by the message that the worker has booted, or by its end.
  void await_boot(JobClient& client) {
    client_ = &client;
    awaits_boot_ = true;
  }
  bool take_boot_wait() { return std::exchange(awaits_boot_, false); }
  bool busy() const { return client_ != nullptr; }
  /// Whom the answer belongs to; the worker is idle again.
  JobClient* take_client() { return std::exchange(client_, nullptr); }
  JobClient* client() const { return client_; }

  /// Not to be used after its present job: its process may be damaged.
  void retire() { retired_ = true; }
  bool retired() const { return retired_; }

  WorkerSlot& slot() { return *slot_; }
  int socket() const { return socket_; }
  pid_t pid() const { return pid_; }
  MessageReader& reader() { return reader_; }
  /// Whether it has said that it is up.
  bool booted() const { return booted_.ok; }
  const Booted& boot() const { return booted_; }
  void set_boot(Booted booted) { booted_ = std::move(booted); }
  /// It booted with mutants armed: that it does not come up is no failure of the runner.
  bool may_fail_to_boot() const { return may_fail_to_boot_; }

  /// Waits for the process, which must have ended or be about to.
  int reap();
  /// The last of what it printed.
  std::string words() const;
  /// Processor time used so far.
  std::chrono::nanoseconds cpu_time() const;
  /// Whether the process that executes is stopped, as by SIGSTOP.
  bool stopped() const;
  /// Resident bytes of the process that executes; 0 when not known.
  uint64_t resident_bytes() const;

 private:
  WorkerProcess() = default;
  pid_t pid_ = -1;
  int socket_ = -1;
  int words_ = -1;
  Booted booted_;
  bool may_fail_to_boot_ = false;
  bool awaits_boot_ = false;
  bool retired_ = false;
  WorkerSlot* slot_ = nullptr;
  JobClient* client_ = nullptr;
  MessageReader reader_;
};

} // namespace kiln::gates
