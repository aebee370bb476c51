// Two units of Intel, the first for a graphics device, and its memory.
[0004]                          Signature : "DMAR"
[0004]                       Table Length : 00000000
[0001]                           Revision : 01
[0001]                           Checksum : 00
[0006]                             Oem ID : "CLAY  "
[0008]                       Oem Table ID : "BOARD   "
[0004]                       Oem Revision : 00000001
[0004]                    Asl Compiler ID : "KILN"
[0004]              Asl Compiler Revision : 00000001

[0001]                 Host Address Width : 26
[0001]                              Flags : 05
[0010]                           Reserved : 00 00 00 00 00 00 00 00 00 00

[0002]                      Subtable Type : 0000
[0002]                             Length : 0018
[0001]                              Flags : 00
[0001]                           Reserved : 00
[0002]                 PCI Segment Number : 0000
[0008]              Register Base Address : 00000000FED90000

[0001]                  Device Scope Type : 01
[0001]                       Entry Length : 08
[0002]                           Reserved : 0000
[0001]                     Enumeration ID : 00
[0001]                     PCI Bus Number : 00

[0002]                           PCI Path : 02,00

[0002]                      Subtable Type : 0000
[0002]                             Length : 0022
[0001]                              Flags : 01
[0001]                           Reserved : 00
[0002]                 PCI Segment Number : 0000
[0008]              Register Base Address : 00000000FED91000

[0001]                  Device Scope Type : 03
[0001]                       Entry Length : 08
[0002]                           Reserved : 0000
[0001]                     Enumeration ID : 02
[0001]                     PCI Bus Number : F0

[0002]                           PCI Path : 1F,00

[0001]                  Device Scope Type : 02
[0001]                       Entry Length : 0A
[0002]                           Reserved : 0000
[0001]                     Enumeration ID : 00
[0001]                     PCI Bus Number : 00

[0002]                           PCI Path : 1C,00

[0002]                           PCI Path : 00,01

[0002]                      Subtable Type : 0001
[0002]                             Length : 0020
[0002]                           Reserved : 0000
[0002]                 PCI Segment Number : 0000
[0008]                       Base Address : 000000007B800000
[0008]                End Address (limit) : 000000007FFFFFFF

[0001]                  Device Scope Type : 01
[0001]                       Entry Length : 08
[0002]                           Reserved : 0000
[0001]                     Enumeration ID : 00
[0001]                     PCI Bus Number : 00

[0002]                           PCI Path : 02,00

[0002]                      Subtable Type : 0003
[0002]                             Length : 0014
[0004]                           Reserved : 00000000
[0008]                       Base Address : 00000000FED91000
[0004]                   Proximity Domain : 00000001

