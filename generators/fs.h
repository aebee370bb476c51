#pragma once
// Programs of filesystem operations out of choices, as plain data: for a filesystem's own nodes,
// for paths through a VFS, and for the model (worlds/fs/model.h) that says what must come out.
//
// Few names that collide, small depth, sizes and offsets at the borders of blocks. Most operations
// speak of something that an earlier one has probably made. The empty tape gives an empty program.
//
// What a write writes follows from its `fill`, a number of its own within a program, and from the
// place in the file: fs_byte(). So a byte tells which write it comes from and where it belongs, and
// is never 0, as holes are.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/tape.h"

namespace kiln::gen {

// --- Names and paths

/// A component of a path, by number: fs_name() has its text.
using FsName = uint8_t;
inline constexpr FsName kFsPlainNames = 16; ///< those below are names that a directory can have
inline constexpr FsName kFsDot = 16;
inline constexpr FsName kFsDotDot = 17;
inline constexpr FsName kFsNameTooLong = 18; ///< 256 bytes
/// "a" to "h", then names of 2 to 255 bytes.
std::string_view fs_name(FsName name);
/// The plain name with that text, or kFsPlainNames when there is none.
FsName fs_name_of(std::string_view text);

inline constexpr size_t kFsMostNames = 10;
inline constexpr unsigned kFsHandles = 4;

struct FsPath {
  uint8_t count = 0; ///< components; 0: where it begins
  std::array<FsName, kFsMostNames> names = {};
  /// Where it begins: 0 the root; n: the node that handle n - 1 has open.
  uint8_t at = 0;
  // --- For paths through a VFS, and targets of symlinks
  bool relative = false;      ///< of a symlink's target: no slash in front
  bool slash_behind = false;  ///< a slash behind the last component
  uint16_t extra_slashes = 0; ///< more slashes where the first one stands, or before the last name

  bool operator==(const FsPath&) const = default;
  FsName last() const { return names[count - 1]; } ///< count > 0
  FsPath parent() const;                           ///< count > 0
  FsPath child(FsName name) const;                 ///< count < kFsMostNames
};
/// The path as a kernel is handed it, without `at`.
std::string fs_path_bytes(const FsPath& path);
/// The same for people: "/a/b", "handle 1: c", long names and runs of slashes in words.
std::string fs_path_text(const FsPath& path);

// --- Operations

// X(identifier, "name")
#define KILN_FS_ACTS(X)                                                                            \
  X(kCreate, "create")       /* a file; an error when the name is taken */                         \
  X(kMakeDirectory, "mkdir") /* */                                                                 \
  X(kWrite, "write")         /* offset, length, fill */                                            \
  X(kTruncate, "truncate")   /* to offset */                                                       \
  X(kUnlink, "unlink")       /* */                                                                 \
  X(kRename, "rename")       /* path, to */                                                        \
  X(kLink, "link")           /* a second name `to` for path */                                     \
  X(kSymlink, "symlink")     /* path, whose target is the text of `to` */                          \
  X(kRemoveDirectory, "rmdir")                                                                     \
  X(kRead, "read") /* offset, length */                                                            \
  X(kReadLink, "readlink")                                                                         \
  X(kStat, "stat")                                                                                 \
  X(kList, "list")                                                                                 \
  X(kSyncNode, "fsync")                                                                            \
  X(kSync, "sync")            /* the whole filesystem */                                           \
  X(kOpen, "open")            /* path, for handle; whatever that had open is closed first */       \
  X(kClose, "close")          /* handle */                                                         \
  X(kWriteHandle, "write to") /* handle, offset, length, fill */                                   \
  X(kReadHandle, "read from")                                                                      \
  X(kTruncateHandle, "truncate by")                                                                \
  X(kStatHandle, "stat of")                                                                        \
  X(kSyncHandle, "fsync of")                                                                       \
  X(kRemount, "remount") /* everything is closed, unmounted and mounted again */

enum class FsAct : uint8_t {
#define KILN_FS_ACT_ENUM(id, text) id,
  KILN_FS_ACTS(KILN_FS_ACT_ENUM)
#undef KILN_FS_ACT_ENUM
};
inline constexpr size_t kFsActs = static_cast<size_t>(FsAct::kRemount) + 1;

struct FsOperation {
  FsAct act = FsAct::kCreate;
  uint8_t handle = 0;
  uint8_t fill = 0;
  uint16_t permissions = 0644; ///< of what is created
  uint32_t length = 0;
  uint64_t offset = 0;
  FsPath path;
  FsPath to;
};
using FsProgram = std::vector<FsOperation>;

/// Whether it can change what is on the disk, other than by making it durable.
bool fs_changes(FsAct act);
/// Whether it speaks of a handle that is open already.
bool fs_of_handle(FsAct act);
/// "write /a/b at 1020, 8 bytes of fill 3".
std::string fs_text(const FsOperation& operation);
/// A line each, numbered from 1.
std::string fs_text(std::span<const FsOperation> program);

constexpr uint64_t fs_product(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  static_cast<void>(__builtin_mul_overflow(a, b, &product)); // wraps
  return product;
}
/// The word at a place that is a multiple of 8; its lowest byte is the first.
constexpr uint64_t fs_word(uint8_t fill, uint64_t place) {
  uint64_t word = fs_product((place >> 3) + fill + 1, 0x9E37'79B9'7F4A'7C15) ^
                  fs_product(fill, 0xD6E8'FEB8'6659'FD93);
  word ^= word >> 29;
  return word | 0x8080'8080'8080'8080;
}
/// The byte at `place` of a file that a write with this fill has written.
constexpr uint8_t fs_byte(uint8_t fill, uint64_t place) {
  return static_cast<uint8_t>(fs_word(fill, place & ~uint64_t{7}) >> (8 * (place & 7)));
}
/// out[i] = fs_byte(fill, place + i).
void fs_fill(uint8_t fill, uint64_t place, std::span<uint8_t> out);

// --- Drawing

/// What programs are to be like.
struct FsStyle {
  uint32_t block_bytes = 1024;
  /// Offsets and sizes beyond are drawn now and then only.
  uint64_t usual_bytes = 4096;
  uint64_t most_bytes = 16 * 1024; ///< none beyond; 0: no bound
  uint64_t edge_bytes = 0;         ///< not 0: the largest file; with most_bytes 0 drawn often
  uint32_t most_length = 4096;     ///< of one write or read
  uint8_t names = 4;               ///< short ones that are used most
  uint8_t most_depth = 3;          ///< at most kFsMostNames
  bool long_names = true;
  bool handles = true;
  bool odd_paths = false;       ///< ".", "..", slashes: for a VFS
  bool absolute_targets = true; ///< symlinks may lead to the root
  /// More of what is rare: operations in directories that were removed while they were open,
  /// offsets where an earlier write ended and where 64 bits end, directories that are to move below
  /// themselves.
  bool thorough = false;
  /// Of the acts, by number; the sum at most 65536.
  std::array<uint16_t, kFsActs> weights = {14, 12, 14, 6, 8, 10, 5, 3, 4, 5, 1, 2,
                                           2,  3,  3,  8, 2, 4,  2, 2, 1, 1, 1};
};

/// Draws one operation after another, and remembers what they have probably made.
class FsDrawer {
 public:
  FsDrawer(sim::Tape& tape, const FsStyle& style) : tape_(tape), style_(style) {}

  FsOperation operation();
  /// One of this kind; of another one when the style has none of it, or no handle is open.
  FsOperation operation_of(FsAct act);
  /// Anything that makes one directory more, or a directory that has probably been made before.
  FsOperation directory();
  /// A handle that is open, mostly for a directory.
  uint8_t directory_handle();
  /// Whether a directory has probably been made there.
  bool is_directory(const FsPath& path) const { return directories_.has(path); }
  /// Up to `most` of them.
  FsProgram program(size_t most);

 private:
  static constexpr size_t kKnown = 8;
  /// The last few paths of a kind.
  struct Known {
    std::array<FsPath, kKnown> paths = {};
    size_t count = 0;
    size_t next = 0;
    void add(const FsPath& path);
    void remove(const FsPath& path);
    bool has(const FsPath& path) const;
  };

  FsName draw_name();
  uint8_t draw_handle();
  FsPath draw_directory();
  FsPath draw_below(uint8_t at);
  FsPath draw_new();
  FsPath draw_known(const Known& known);
  FsPath draw_any();
  FsPath draw_target();
  void make_odd(FsPath& path);
  FsPath draw_new_below(const FsPath& above);
  uint64_t draw_offset();
  uint64_t draw_usual_offset();
  uint32_t draw_length();
  void draw_paths(FsOperation& operation);
  void remember(const FsOperation& operation);

  sim::Tape& tape_;
  const FsStyle style_;
  std::optional<FsOperation> next_; ///< what comes next, whatever is drawn
  uint64_t written_ = 0;            ///< where the last write ended
  uint8_t removed_ = 0; ///< one more than the handle of a directory that was probably removed
  Known files_;
  Known directories_;
  uint8_t open_ = 0;             ///< a bit a handle
  uint8_t open_directories_ = 0; ///< those that are probably directories
  uint8_t fill_ = 0;
};

// --- All small programs

/// A few operations that between them do most of what can go wrong on a small fresh filesystem with
/// blocks of this size.
std::vector<FsOperation> fs_small_alphabet(uint32_t block_bytes);
/// How many programs of 1 to `most` operations there are over an alphabet of that size.
uint64_t fs_programs(size_t alphabet, unsigned most);
/// The number-th of them, the short ones first; `number` below their count.
FsProgram fs_program_of_number(std::span<const FsOperation> alphabet, uint64_t number);

} // namespace kiln::gen
