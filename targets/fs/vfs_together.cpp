#include "targets/fs/vfs_together.h"

#include <algorithm>
#include <optional>
#include <string>

#include "sim/probe.h"

namespace kiln::fs {

using clay::Vfs;
using worlds::FsError;
using worlds::FsErrors;

namespace {

const sim::Probe kLostRace{kVfsTarget, "two tasks make a name exclusively, and one gets it"};
const sim::Probe kSharedMount{kVfsTarget, "a mount that several tasks use comes and goes"};
const sim::Probe kSharedBusy{kVfsTarget, "a mount is busy with another task"};
const sim::Probe kRecords{kVfsTarget, "records of three tasks are in one file"};
const sim::Probe kReplaced{kVfsTarget, "a file that others look at is replaced"};
const sim::Probe kPlaced{kVfsTarget, "a record is written behind the end that another task sees"};

constexpr const char* kLog = "/g";      ///< appended to
constexpr const char* kStream = "/e";   ///< written by a common open file
constexpr const char* kEmptied = "/aa"; ///< appended to, and emptied
constexpr const char* kPlaces = "/aaa"; ///< appended to, and written at its end
constexpr const char* kMountPoint = "/d";
constexpr const char* kReplacedFile = "/f/d";
constexpr const char* kContestedPaths[kContested] = {"/f/a", "/f/b"};

/// A line of a file that all write to.
struct Record {
  uint8_t task;
  uint8_t number;
  uint8_t rest[11]; ///< follow from the two
};
static_assert(sizeof(Record) == 13);
constexpr uint8_t kAtPlace = 16; ///< added to the task of one that was written at a place

Record record_of(uint8_t task, uint8_t number) {
  Record record{task, number, {}};
  gen::fs_fill(static_cast<uint8_t>(task * 64 + number), 0, record.rest);
  return record;
}

clay::Bytes bytes_of(const Record& record) {
  return {reinterpret_cast<const uint8_t*>(&record), sizeof(record)};
}

bool is_whole(const Record& record) {
  const Record right = record_of(record.task, record.number);
  return std::equal(bytes_of(right).begin(), bytes_of(right).end(), bytes_of(record).begin());
}

/// All of a file's records; null: it cannot be read now, for want of memory.
std::optional<std::vector<Record>> read_records(Vfs& vfs, const char* path) {
  const auto file = vfs.open(path, clay::kOpenRead);
  if (!file.ok()) return {};
  std::vector<Record> records(256);
  const auto read = file.value()->read(
      {reinterpret_cast<uint8_t*>(records.data()), records.size() * sizeof(Record)});
  KILN_CHECK(read.ok() && read.value() % sizeof(Record) == 0, "%s has a part of a record", path);
  records.resize(read.value() / sizeof(Record));
  for (const Record& record : records) {
    KILN_CHECK(is_whole(record), "%s holds what nobody wrote", path);
  }
  return records;
}

std::optional<FsError> append_to(Vfs& vfs, const char* path, const Record& record) {
  const auto log = vfs.open(path, clay::kOpenWrite | clay::kOpenAppend);
  return log.ok() ? failure_of(log.value()->write(bytes_of(record))) : failure_of(log);
}

void check_failure(const Member& member, uint64_t allocations, std::optional<FsError> failure,
                   FsErrors right, const char* what) {
  KILN_CHECK(!failure || right.has(*failure) || struck(member, allocations, failure),
             "%s fails: %s", what, text_of(failure));
}

/// A symlink that leads out of a filesystem wherever it is mounted, and a long way; or none, for
/// want of memory.
void make_way_out(clay::FileSystem& filesystem) {
  static_cast<void>(filesystem.root().take()->symlink("b", "/f/../f/../f/../g"));
}

} // namespace

bool struck(const Member& member, uint64_t allocations, std::optional<FsError> failure) {
  return failure == FsError::kNoMemory && member.all->world.failure.may_have_struck(allocations);
}

bool make_fresh(Member& member) {
  if (member.fresh) return true;
  auto made = clay::RamFs::create(member.all->world.shape);
  if (made.ok()) member.fresh = clay::Box<clay::FileSystem>(made.take().leak());
  return static_cast<bool>(member.fresh);
}

// --- Records

void append_record(Member& member, unsigned) {
  const uint64_t allocations = Failure::before();
  const auto failure =
      append_to(*member.all->world.vfs, kLog, record_of(member.number, member.appended));
  if (!failure) ++member.appended;
  check_failure(member, allocations, failure, {}, "appending a record");
}

void stream_record(Member& member, unsigned) {
  const uint64_t allocations = Failure::before();
  const auto failure =
      failure_of(member.all->stream->write(bytes_of(record_of(member.number, member.streamed))));
  if (!failure) ++member.streamed;
  check_failure(member, allocations, failure, {}, "writing a record");
}

/// Where the file ends, as it seems.
void place_record(Member& member, unsigned which) {
  Vfs& vfs = *member.all->world.vfs;
  const uint64_t allocations = Failure::before();
  const auto number = static_cast<uint8_t>(which);
  if ((which & 1) == 0) {
    const auto failure = append_to(vfs, kPlaces, record_of(member.number, number));
    return check_failure(member, allocations, failure, {}, "appending a record");
  }
  const auto file = vfs.open(kPlaces, clay::kOpenWrite);
  auto failure = failure_of(file);
  if (!failure) {
    const uint64_t end = file.value()->stat().bytes;
    failure = failure_of(file.value()->write_at(
        end, bytes_of(record_of(static_cast<uint8_t>(member.number + kAtPlace), number))));
    if (!failure) member.all->placed.push_back(end);
    if (!failure && end + sizeof(Record) != file.value()->stat().bytes) kPlaced.hit();
  }
  check_failure(member, allocations, failure, {}, "writing a record at a place");
}

void empty_records(Member& member, unsigned which) {
  Vfs& vfs = *member.all->world.vfs;
  const uint64_t allocations = Failure::before();
  std::optional<FsError> failure;
  switch (which % 4) {
  case 0:
    failure = failure_of(vfs.truncate(kEmptied, 0));
    break;
  case 1:
    failure = failure_of(vfs.open(kEmptied, clay::kOpenWrite | clay::kOpenTruncate));
    break;
  default:
    failure = append_to(vfs, kEmptied, record_of(member.number, static_cast<uint8_t>(which)));
    break;
  }
  check_failure(member, allocations, failure, {}, "emptying a file, or appending to it");
  static_cast<void>(read_records(vfs, kEmptied));
}

// --- Names

void make_contested(Member& member, unsigned which) {
  Vfs& vfs = *member.all->world.vfs;
  const char* const path = kContestedPaths[which % kContested];
  const uint64_t allocations = Failure::before();
  constexpr uint32_t kExclusive = clay::kOpenWrite | clay::kOpenCreate | clay::kOpenExclusive;
  const auto failure = (which & 4) != 0 ? failure_of(vfs.make_directory(path))
                                        : failure_of(vfs.open(path, kExclusive));
  if (!failure) ++member.all->there[which % kContested];
  if (failure == FsError::kExists) kLostRace.hit();
  check_failure(member, allocations, failure, FsError::kExists, "making a name");
}

void remove_contested(Member& member, unsigned which) {
  Vfs& vfs = *member.all->world.vfs;
  const char* const path = kContestedPaths[which % kContested];
  const uint64_t allocations = Failure::before();
  const auto failure = failure_of((which & 4) != 0 ? vfs.remove_directory(path) : vfs.unlink(path));
  if (!failure) --member.all->there[which % kContested];
  check_failure(member, allocations, failure,
                FsErrors(FsError::kNotFound) | FsError::kIsDirectory | FsError::kNotDirectory,
                "removing a name");
}

void open_anyway(Member& member, unsigned which) {
  Vfs& vfs = *member.all->world.vfs;
  const uint64_t allocations = Failure::before();
  if ((which & 4) != 0) {
    return check_failure(member, allocations, failure_of(vfs.unlink("/f/c")), FsError::kNotFound,
                         "unlinking a file");
  }
  const auto opened = vfs.open("/f/c", clay::kOpenWrite | clay::kOpenCreate);
  check_failure(member, allocations, failure_of(opened), {}, "opening a file for creation");
}

void replace(Member& member, unsigned which) {
  Vfs& vfs = *member.all->world.vfs;
  const uint64_t allocations = Failure::before();
  if ((which & 1) == 0) {
    return check_failure(member, allocations, failure_of(vfs.stat(kReplacedFile)), {},
                         "looking at a file that is there at any time");
  }
  const std::string fresh =
      "/f/" + std::string(gen::fs_name(static_cast<gen::FsName>(8 + member.number)));
  auto failure = failure_of(vfs.open(fresh.c_str(), clay::kOpenWrite | clay::kOpenCreate));
  if (!failure) {
    failure = failure_of(vfs.rename(fresh.c_str(), kReplacedFile));
    if (!failure) kReplaced.hit();
  }
  check_failure(member, allocations, failure, {}, "replacing a file");
}

// --- Mounts

namespace {

std::optional<FsError> mount(Member& member, bool odd) {
  Vfs& vfs = *member.all->world.vfs;
  if (odd) {
    clay::Box<clay::FileSystem> filesystem = OddFs::make({}, member.all->odd_calls);
    if (!filesystem) return FsError::kNoMemory;
    return failure_of(vfs.mount(kMountPoint, filesystem));
  }
  if (!make_fresh(member)) return FsError::kNoMemory;
  make_way_out(*member.fresh);
  return failure_of(vfs.mount(kMountPoint, member.fresh));
}

} // namespace

/// Something that comes and goes on one directory, which comes and goes itself.
void work_on_mount(Member& member, unsigned which) {
  Vfs& vfs = *member.all->world.vfs;
  const unsigned kind = which % 10;
  const unsigned way = which / 10;
  if ((way & 8) == 0) member.kept.reset();
  const uint64_t allocations = Failure::before();
  std::optional<FsError> failure;
  FsErrors right;
  switch (kind) {
  case 0:
  case 1:
    failure = mount(member, (way & 7) == 7);
    right = FsError::kNotFound;
    break;
  case 2:
  case 3:
    failure = failure_of(vfs.unmount(kMountPoint));
    right = FsErrors(FsError::kNotFound) | FsError::kInvalid | FsError::kBusy;
    if (!failure) kSharedMount.hit();
    if (failure == FsError::kBusy && !member.kept) kSharedBusy.hit();
    break;
  case 4: {
    auto opened = vfs.open("/d/a", clay::kOpenWrite | clay::kOpenCreate);
    failure = failure_of(opened);
    right = FsError::kNotFound;
    if (opened.ok() && (way & 8) != 0) member.kept = opened.take();
    break;
  }
  case 5:
    failure = failure_of(vfs.stat((way & 1) == 0 ? "/d/b" : "/d/../g"));
    right = FsError::kNotFound;
    break;
  case 6:
    failure = failure_of(vfs.remove_directory(kMountPoint));
    right = FsErrors(FsError::kNotFound) | FsError::kBusy | FsError::kNotEmpty;
    break;
  case 7:
    failure = failure_of(vfs.make_directory((way & 1) == 0 ? kMountPoint : "/f/e"));
    right = FsError::kExists;
    break;
  case 8:
    failure = failure_of((way & 1) == 0 ? vfs.rename("/f/e", kMountPoint)
                                        : vfs.rename(kMountPoint, "/f/e"));
    right = FsErrors(FsError::kNotFound) | FsError::kBusy | FsError::kNotEmpty;
    break;
  default:
    failure = failure_of(vfs.sync());
    break;
  }
  const std::string text = "step " + std::to_string(kind) + " on a mount";
  check_failure(member, allocations, failure, right, text.c_str());
}

// --- Before and behind

void begin_together(Vfs& vfs, Together& all) {
  for (const char* path : {kMountPoint, "/f", "/h"}) {
    KILN_CHECK(vfs.make_directory(path).ok(), "the tree cannot be begun");
  }
  for (const char* path : {kLog, kStream, kEmptied, kPlaces, kReplacedFile}) {
    KILN_CHECK(vfs.open(path, clay::kOpenWrite | clay::kOpenCreate).ok(),
               "the tree cannot be begun");
  }
  all.stream = vfs.open(kStream, clay::kOpenWrite).take();
}

namespace {

/// Every task's records, in order, and nothing else.
void check_records(Vfs& vfs, const char* path, const std::vector<const Member*>& members,
                   uint8_t Member::* written) {
  const auto records = read_records(vfs, path);
  KILN_CHECK(records, "%s is gone", path);
  uint8_t next[kMostTasks] = {};
  unsigned tasks = 0;
  for (const Record& record : *records) {
    KILN_CHECK(record.task < members.size(), "%s holds what nobody wrote", path);
    const uint8_t number = next[record.task]++;
    KILN_CHECK(record.number == number, "%s: record %u of task %u is not where it belongs", path,
               number, record.task);
    if (number == 0) ++tasks;
  }
  for (const Member* member : members) {
    KILN_CHECK(next[member->number] == member->*written, "%s holds %u of task %u's %u records",
               path, next[member->number], member->number, member->*written);
  }
  if (tasks == kMostTasks) kRecords.hit();
}

} // namespace

void check_together(Vfs& vfs, const Together& all, const std::vector<const Member*>& members) {
  check_records(vfs, kLog, members, &Member::appended);
  check_records(vfs, kStream, members, &Member::streamed);
  KILN_CHECK(read_records(vfs, kEmptied), "%s is gone", kEmptied);
  const auto places = read_records(vfs, kPlaces);
  KILN_CHECK(places, "%s is gone", kPlaces);
  for (const uint64_t place : all.placed) {
    const auto index = place / sizeof(Record);
    KILN_CHECK(index < places->size() && (*places)[index].task >= kAtPlace,
               "an append has overwritten what was written at %llu",
               static_cast<unsigned long long>(place));
  }
  for (unsigned which = 0; which < kContested; ++which) {
    const bool there = vfs.stat(kContestedPaths[which]).ok();
    KILN_CHECK(all.there[which] == (there ? 1 : 0),
               "%s was made %d times more often than removed, and is %s", kContestedPaths[which],
               all.there[which], there ? "there" : "not there");
  }
}

} // namespace kiln::fs
