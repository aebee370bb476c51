#pragma once
// What holds of a tree whatever several tasks have done in it, for when nobody does anything.

#include "generators/fs.h"
#include "kernel-src/fs/node.h"
#include "targets/fs/node_judge.h"
#include "worlds/fs/error.h"

namespace kiln::fs {

/// Errors that an operation can have where others change the tree at the same time.
worlds::FsErrors possible_errors(const gen::FsOperation& operation);

/// Walks the tree below a directory, which nobody has open elsewhere. Every directory is met once
/// and lies where it says; every node has as many links as names; look-ups find what is listed.
Totals check_tree(clay::Node& root);

/// Removes all that is in a directory.
void empty_out(clay::Node& root);

} // namespace kiln::fs
