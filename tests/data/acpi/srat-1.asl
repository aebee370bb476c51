// Domains of one byte.
[0004]                          Signature : "SRAT"
[0004]                       Table Length : 00000000
[0001]                           Revision : 01
[0001]                           Checksum : 00
[0006]                             Oem ID : "CLAY  "
[0008]                       Oem Table ID : "BOARD   "
[0004]                       Oem Revision : 00000001
[0004]                    Asl Compiler ID : "KILN"
[0004]              Asl Compiler Revision : 00000001

[0004]                     Table Revision : 00000001
[0008]                           Reserved : 0000000000000000

[0001]                      Subtable Type : 00
[0001]                             Length : 10
[0001]            Proximity Domain Low(8) : 01
[0001]                            Apic ID : 04
[0004]              Flags (decoded below) : 00000001
                                  Enabled : 1
[0001]                    Local Sapic EID : 00
[0003]          Proximity Domain High(24) : 000002
[0004]                       Clock Domain : 00000000

[0001]                      Subtable Type : 01
[0001]                             Length : 28
[0004]                   Proximity Domain : 00000001
[0002]                          Reserved1 : 0000
[0008]                       Base Address : 0000000100000000
[0008]                     Address Length : 0000000080000000
[0004]                          Reserved2 : 00000000
[0004]              Flags (decoded below) : 00000003
                                  Enabled : 1
                            Hot Pluggable : 1
                             Non-Volatile : 0
[0008]                          Reserved3 : 0000000000000000

[0001]                      Subtable Type : 02
[0001]                             Length : 18
[0002]                          Reserved1 : 0000
[0004]                   Proximity Domain : 00000007
[0004]                            Apic ID : 00000123
[0004]              Flags (decoded below) : 00000001
                                  Enabled : 1
[0004]                       Clock Domain : 00000000
[0004]                          Reserved2 : 00000000

[0001]                      Subtable Type : 03
[0001]                             Length : 12
[0004]                   Proximity Domain : 00000007
[0004]                 Acpi Processor UID : 00000009
[0004]              Flags (decoded below) : 00000001
                                  Enabled : 1
[0004]                       Clock Domain : 00000000

