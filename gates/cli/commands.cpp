#include "gates/cli/commands.h"

#include <climits>

namespace kiln::gates {

namespace {

constexpr unsigned kAny = UINT_MAX;

const Command kCommands[] = {
    {"gate", kForGate, "[TARGET...]", 0, kAny,
     "run a fixed number of inputs of every target, the same every time (the default)",
     "Targets may be named by globs (`sync/*`). Canaries run only when they are named. Without "
     "--keep-going a target stops at its first finding, which is the one with the lowest iteration "
     "whatever the number of workers. A declared probe that no input reaches is a finding.",
     command_gate},
    {"run", kForRun, "TARGET...", 1, kAny,
     "a campaign: inputs of a seed until time or number is up, or until Ctrl-C",
     "Goes on after findings as with --keep-going. Probes that are not reached are no finding. "
     "Ended by Ctrl-C it prints its summary; without --seconds and --iterations that is its normal "
     "end.",
     command_run},
    {"list", kForList, "[TARGET...]", 0, kAny,
     "list the targets, what they check and how many inputs",
     "With --all also the canaries, which must fail, one for each rule of the machine.",
     command_list},
    {"replay", kForReplay, "TARGET FILE", 2, 2, "run one tape and show what happens",
     "Runs it with the usual and with another fill of fresh memory, and twice, as the gate does "
     "with a sample of its inputs. FILE may be a bundle (.json), whose tape is then run.",
     command_replay},
    {"decode", kForDecode, "TARGET [FILE]", 1, 2, "print a tape's choices and schedule in words",
     "In place of a file --only SEED:ITERATION names a seeded input.", command_decode},
    {"feed", kForFeed, "TARGET FILE...", 2, kAny,
     "give a target a real artefact in place of a tape, and say what the kernel made of it",
     "For targets that take one; `list` says which and what.", command_feed},
    {"artefact", kForArtefact, "TARGET [FILE] -o FILE", 1, 2,
     "write what a tape makes of a target as the file that `feed` takes",
     "For other tools to look at, or to report a bug to someone who has no tapes. In place of a "
     "tape --only SEED:ITERATION names a seeded input. Nothing of the kernel runs on it.",
     command_artefact},
    {"shrink", kForShrink, "TARGET [FILE]", 1, 2, "make a failing tape as small as can be",
     "Keeps the finding's identity. In place of a file --only SEED:ITERATION names a seeded input. "
     "Writes the finding's files as the gate does.",
     command_shrink},
    {"triage", kForTriage, "[DIR]", 0, 1,
     "run all saved findings again and say which still show, and which have become others",
     "DIR is the folder of findings (default: the findings folder in --out).", command_triage},
    {"bundle", kForBundle, "FILE", 1, 1, "say what a bundle holds, and whether it still shows here",
     "A bundle is the .json file of a finding: what was run, where, how, and what was seen.",
     command_bundle},
    {"corpus", kForCorpus, "TARGET DIR", 2, 2, "run every tape in a folder",
     "Files that end in .hex are hexadecimal text, all others (with --raw: all) the bytes "
     "themselves, as libFuzzer writes them. A folder of findings will do: what lies beside a .hex "
     "of the same name (.json, .txt) is passed over.",
     command_corpus},
    {"join", kForJoin, "TARGET FILE TARGET FILE...", 4, kAny,
     "run several tapes, and say which rules about lock order they break together",
     "No input of such a finding breaks the rule alone: one takes a then b, another b then a.",
     command_join},
    {"cover", kForCover, "[TARGET...]", 0, kAny, "what of the kernel's sources the gate runs",
     "Needs the cover flavour, which scripts/fuzz.py builds for it. Prints how many regions of "
     "each file ran, assertions left out; cover/regions.md in --out names each that did not, and "
     "cover/html/ has the annotated sources.",
     command_cover},
    {"mutate", kForMutate, "[FILE|TARGET...]", 0, kAny,
     "break the kernel on purpose, one place at a time: does the gate notice?",
     "Needs the mutants flavour, which scripts/fuzz.py builds for it. FILE is a path from the top "
     "of "
     "the checkout, a folder or a glob; TARGET a target or a glob. Results are kept in mutation/ "
     "in "
     "--out: the same program goes on where it was interrupted. docs/mutation.md has the words.",
     command_mutate},
    {"bench", kForBench, "[TARGET...]", 0, kAny, "measure the machine and the runner on this host",
     "Ratios within one run are worth more than numbers of different runs.", command_bench},
    {"doctor", kForDoctor, "", 0, 0, "what this host offers: tools, fences, address randomisation",
     "Names the Debian package of every tool that is missing.", command_doctor},
    {"new-target", kForNewTarget, "AREA/NAME", 1, 1, "write a target to start from",
     "The file compiles and passes as it is. A new file is picked up by itself. With --parser it "
     "is a copy of targets/example/table.cpp: a small parser, a generator that tells at most one "
     "lie, a "
     "second reader, and feed.",
     command_new_target},
    {"reference", kForReference, "", 0, 0, "print docs/reference.md", "", command_reference},
};

} // namespace

std::span<const Command> commands() { return kCommands; }

const Command* find_command(std::string_view name) {
  for (const Command& command : kCommands) {
    if (name == command.name) return &command;
  }
  return nullptr;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : kCommands)
    names.push_back(command.name);
  return names;
}

} // namespace kiln::gates
