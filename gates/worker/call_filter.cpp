#include "gates/worker/call_filter.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

namespace kiln::gates {

namespace {

// Refused with "operation not permitted".
constexpr int kForbidden[] = {
    SCMP_SYS(socket),           SCMP_SYS(socketpair),
    SCMP_SYS(connect),          SCMP_SYS(bind),
    SCMP_SYS(listen),           SCMP_SYS(accept),
    SCMP_SYS(accept4),          SCMP_SYS(execve),
    SCMP_SYS(execveat),         SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev),
    SCMP_SYS(io_uring_setup),   SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),  SCMP_SYS(mount),
    SCMP_SYS(umount2),          SCMP_SYS(setns),
    SCMP_SYS(unshare),          SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),           SCMP_SYS(init_module),
    SCMP_SYS(finit_module),     SCMP_SYS(delete_module),
    SCMP_SYS(kexec_load),       SCMP_SYS(reboot),
    SCMP_SYS(settimeofday),     SCMP_SYS(clock_settime),
    SCMP_SYS(keyctl),           SCMP_SYS(userfaultfd),
};

constexpr int kForbiddenOnFiles[] = {
    SCMP_SYS(creat),     SCMP_SYS(unlink),    SCMP_SYS(unlinkat), SCMP_SYS(rename),
    SCMP_SYS(renameat),  SCMP_SYS(renameat2), SCMP_SYS(mkdir),    SCMP_SYS(mkdirat),
    SCMP_SYS(rmdir),     SCMP_SYS(link),      SCMP_SYS(linkat),   SCMP_SYS(symlink),
    SCMP_SYS(symlinkat), SCMP_SYS(truncate),  SCMP_SYS(chmod),    SCMP_SYS(fchmodat),
    SCMP_SYS(chown),     SCMP_SYS(fchownat),  SCMP_SYS(mknod),    SCMP_SYS(mknodat),
};

bool forbid(scmp_filter_ctx context, int call) {
  return seccomp_rule_add(context, SCMP_ACT_ERRNO(EPERM), call, 0) == 0;
}

// Opening to write, by the access mode in the flags argument.
bool forbid_writing(scmp_filter_ctx context) {
  for (int mode : {O_WRONLY, O_RDWR}) {
    auto value = static_cast<scmp_datum_t>(mode);
    if (seccomp_rule_add(context, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(openat), 1,
                         SCMP_A2(SCMP_CMP_MASKED_EQ, O_ACCMODE, value)) != 0 ||
        seccomp_rule_add(context, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(open), 1,
                         SCMP_A1(SCMP_CMP_MASKED_EQ, O_ACCMODE, value)) != 0) {
      return false;
    }
  }
  return true;
}

bool add_rules(scmp_filter_ctx context, bool may_write_files) {
  for (int call : kForbidden) {
    if (!forbid(context, call)) return false;
  }
  if (may_write_files) return true;
  for (int call : kForbiddenOnFiles) {
    if (!forbid(context, call)) return false;
  }
  return forbid_writing(context);
}

std::vector<sock_filter> export_program(scmp_filter_ctx context) {
  std::vector<sock_filter> program;
  int file = memfd_create("filter", MFD_CLOEXEC);
  if (file < 0) return program;
  off_t size = seccomp_export_bpf(context, file) == 0 ? lseek(file, 0, SEEK_END) : 0;
  program.resize(static_cast<size_t>(size) / sizeof(sock_filter));
  auto bytes = static_cast<ssize_t>(program.size() * sizeof(sock_filter));
  if (pread(file, program.data(), static_cast<size_t>(bytes), 0) != bytes) program.clear();
  close(file);
  return program;
}

} // namespace

CallFilter make_call_filter(bool may_write_files) {
  CallFilter filter;
  scmp_filter_ctx context = seccomp_init(SCMP_ACT_ALLOW);
  if (context != nullptr && add_rules(context, may_write_files)) {
    filter.program = export_program(context);
  }
  if (filter.program.empty()) filter.trouble = "libseccomp could not make the filter";
  if (context != nullptr) seccomp_release(context);
  return filter;
}

} // namespace kiln::gates
