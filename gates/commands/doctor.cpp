// doctor: what this host offers.

#include <fmt/format.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "gates/cli/commands.h"
#include "gates/run/session.h"
#include "gates/support/build_facts.h"
#include "gates/support/environment.h"
#include "gates/support/host_tools.h"
#include "gates/support/screen.h"
#include "gates/support/subprocess.h"
#include "gates/worker/sanitizer.h"

namespace kiln::gates {

namespace {

std::string host_lines(const Settings& settings) {
  utsname name{};
  uname(&name);
  struct sysinfo memory{};
  sysinfo(&memory);
  uint64_t megabytes = (uint64_t{memory.totalram} * memory.mem_unit) >> 20;
  return fmt::format("host       {} {} {}, {} processors for us, {} MB of memory\n", name.sysname,
                     name.release, name.machine, jobs_of(settings), megabytes);
}

std::string program_lines() {
  const BuildFacts& build = build_facts();
  return fmt::format("program    flavour {}, commit {}{}, {}, AddressSanitizer {}\n", build.flavour,
                     build.commit[0] == '\0' ? "unknown" : build.commit,
                     build.edited ? " (edited)" : "", build.compiler,
                     has_address_sanitizer() ? "in" : "not in");
}

std::string placement_line() {
  if (!address_randomisation()) return "addresses  the same every time\n";
  return "addresses  random: the host refuses to switch that off (runs do not depend on it)\n";
}

std::string fence_lines(const std::vector<Fence>& fences) {
  std::string out;
  for (const Fence& fence : fences) {
    out += fmt::format("fence      {}: {}\n", fence.name,
                       fence.up ? "up" : "NOT up, " + fence.trouble);
  }
  return out;
}

std::string tool_lines() {
  std::string out;
  for (const HostTool& tool : host_tools()) {
    std::string file = find_program(tool.name);
    out += fmt::format("tool       {:<20}{} (for {})\n", tool.name,
                       file.empty() ? std::string("MISSING: install ") + tool.package : file,
                       tool.use);
  }
  return out;
}

// Boots a worker and hears what it says.
Booted try_worker(const Settings& settings, std::string* trouble) {
  Pool pool = make_pool(settings);
  const WorkerProcess* worker = pool.start();
  while (pool.has(worker) && !pool.booted().ok && pool.trouble().empty())
    pool.step(std::chrono::milliseconds(100));
  *trouble = pool.trouble().empty() ? "a worker was killed from outside" : pool.trouble();
  return pool.booted();
}

} // namespace

ExitCode command_doctor(const Settings& settings) {
  std::string trouble;
  Booted booted = try_worker(settings, &trouble);
  std::string out = host_lines(settings) + program_lines() + placement_line();
  out += booted.ok ? fmt::format("machine    boots, generation {:016x}\n", booted.generation)
                   : fmt::format("machine    DOES NOT BOOT: {}\n", trouble);
  print_block(out + fence_lines(booted.fences) + tool_lines());
  return booted.ok ? ExitCode::kNothing : ExitCode::kInconclusive;
}

} // namespace kiln::gates
