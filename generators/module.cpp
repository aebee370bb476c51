#include "generators/module.h"

#include "generators/module/draft.h"

namespace kiln::gen {

ModuleProduct make_module(sim::Tape& tape, const ModuleWish& wish) {
  const module_draft::Draft draft = module_draft::draw(tape, wish);
  module_draft::Places places;
  ModuleProduct product;
  product.bytes = module_draft::write(draft, places);
  const sim::Span span(tape, "lie", sim::Lane::kFault);
  product.lie = module_draft::lie(tape, draft, places, product.bytes);
  if (product.lie == ModuleLie::kNone && draft.segments + draft.extra > 16) {
    product.lie = ModuleLie::kManySegments;
  }
  if (product.lie == ModuleLie::kNone && draft.long_name) {
    product.lie = ModuleLie::kLongName;
  }
  return product;
}

} // namespace kiln::gen
