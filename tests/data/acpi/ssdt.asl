// A definition block with one name.
DefinitionBlock ("ssdt.aml", "SSDT", 2, "CLAY", "BOARD", 1) { Name (KILN, 1) }
