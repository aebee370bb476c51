#pragma once
// Changes of a tree that is finished, for lies in what it says.

#include <initializer_list>
#include <string_view>
#include <vector>

#include "generators/fdt/lies.h"

namespace kiln::gen::fdt {

using View = sim::Tape::View;

/// One of the properties that have one of these names; null when there is none.
Property* draw_property(Tree& tree, View fault, std::initializer_list<std::string_view> names);

void set_value(Tree& tree, Property& property, std::span<const uint8_t> value);
void set_text(Tree& tree, Property& property, std::string_view text);
std::vector<uint8_t> value_of(const Tree& tree, const Property& property);
/// `delta` bytes more (of the value 1) or less.
void resize_value(Tree& tree, Property& property, int delta);
int draw_delta(View fault);
/// Behind the others of node `which`.
void append_property(Tree& tree, size_t which, const Property& property);
/// The first property of that name, or null.
Property* find_property(Tree& tree, const Node& node, std::string_view name);

/// Lies in the properties of lies_devices.cpp.
void lie_in_devices(Tree& tree, Lie lie, View fault);

} // namespace kiln::gen::fdt
