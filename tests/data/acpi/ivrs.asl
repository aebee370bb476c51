// A unit of AMD with an I/O APIC, and memory that one device goes on using.
[0004]                          Signature : "IVRS"
[0004]                       Table Length : 00000000
[0001]                           Revision : 02
[0001]                           Checksum : 00
[0006]                             Oem ID : "CLAY  "
[0008]                       Oem Table ID : "BOARD   "
[0004]                       Oem Revision : 00000001
[0004]                    Asl Compiler ID : "KILN"
[0004]              Asl Compiler Revision : 00000001

[0004]                Virtualization Info : 00203041
[0008]                           Reserved : 0000000000000000

[0001]                      Subtable Type : 10
[0001]                              Flags : B0
[0002]                             Length : 0028
[0002]                           DeviceId : 0002
[0002]                  Capability Offset : 0040
[0008]                       Base Address : 00000000FD200000
[0002]                  PCI Segment Group : 0000
[0002]                Virtualization Info : 0000
[0004]                  Feature Reporting : 80048F6F

[0001]                         Entry Type : 03
[0002]                          Device ID : 0008
[0001]                       Data Setting : 00

[0001]                         Entry Type : 04
[0002]                          Device ID : FFFE
[0001]                       Data Setting : 00

[0001]                         Entry Type : 48
[0002]                          Device ID : 0000
[0001]                       Data Setting : D7
[0001]                             Handle : 21
[0002]              Source Used Device ID : 00A0
[0001]                            Variety : 01

[0001]                      Subtable Type : 21
[0001]                              Flags : 08
[0002]                             Length : 0020
[0002]                           DeviceId : 0103
[0002]                     Auxiliary Data : 0000
[0008]                           Reserved : 0000000000000000
[0008]                      Start Address : 000000007B000000
[0008]                      Memory Length : 0000000000010000

