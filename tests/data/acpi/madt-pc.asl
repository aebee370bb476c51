// A PC of AMD: two I/O APICs, the second one listed first.
[0004]                          Signature : "APIC"
[0004]                       Table Length : 00000000
[0001]                           Revision : 05
[0001]                           Checksum : 00
[0006]                             Oem ID : "CLAY  "
[0008]                       Oem Table ID : "BOARD   "
[0004]                       Oem Revision : 00000001
[0004]                    Asl Compiler ID : "KILN"
[0004]              Asl Compiler Revision : 00000001

[0004]                 Local Apic Address : FEE00000
[0004]              Flags (decoded below) : 00000001
                      PC-AT Compatibility : 1

[0001]                      Subtable Type : 00
[0001]                             Length : 08
[0001]                       Processor ID : 00
[0001]                      Local Apic ID : 00
[0004]              Flags (decoded below) : 00000001
                        Processor Enabled : 1
                   Runtime Online Capable : 0

[0001]                      Subtable Type : 00
[0001]                             Length : 08
[0001]                       Processor ID : 01
[0001]                      Local Apic ID : 02
[0004]              Flags (decoded below) : 00000001
                        Processor Enabled : 1
                   Runtime Online Capable : 0

[0001]                      Subtable Type : 00
[0001]                             Length : 08
[0001]                       Processor ID : 02
[0001]                      Local Apic ID : 04
[0004]              Flags (decoded below) : 00000000
                        Processor Enabled : 0
                   Runtime Online Capable : 0

[0001]                      Subtable Type : 00
[0001]                             Length : 08
[0001]                       Processor ID : 03
[0001]                      Local Apic ID : 06
[0004]              Flags (decoded below) : 00000002
                        Processor Enabled : 0
                   Runtime Online Capable : 1

[0001]                      Subtable Type : 01
[0001]                             Length : 0C
[0001]                        I/O Apic ID : 21
[0001]                           Reserved : 00
[0004]                            Address : FEC01000
[0004]                          Interrupt : 00000018

[0001]                      Subtable Type : 01
[0001]                             Length : 0C
[0001]                        I/O Apic ID : 20
[0001]                           Reserved : 00
[0004]                            Address : FEC00000
[0004]                          Interrupt : 00000000

[0001]                      Subtable Type : 02
[0001]                             Length : 0A
[0001]                                Bus : 00
[0001]                             Source : 00
[0004]                          Interrupt : 00000002
[0002]              Flags (decoded below) : 0000
                                 Polarity : 0
                             Trigger Mode : 0

[0001]                      Subtable Type : 02
[0001]                             Length : 0A
[0001]                                Bus : 00
[0001]                             Source : 09
[0004]                          Interrupt : 00000009
[0002]              Flags (decoded below) : 000F
                                 Polarity : 3
                             Trigger Mode : 3

[0001]                      Subtable Type : 03
[0001]                             Length : 08
[0002]              Flags (decoded below) : 000D
                                 Polarity : 1
                             Trigger Mode : 3
[0004]                          Interrupt : 0000001E

[0001]                      Subtable Type : 04
[0001]                             Length : 06
[0001]                       Processor ID : FF
[0002]              Flags (decoded below) : 0005
                                 Polarity : 1
                             Trigger Mode : 1
[0001]               Interrupt Input LINT : 01

[0001]                      Subtable Type : 05
[0001]                             Length : 0C
[0002]                           Reserved : 0000
[0008]                       APIC Address : 00000000FEE10000

[0001]                      Subtable Type : 09
[0001]                             Length : 10
[0002]                           Reserved : 0000
[0004]                Processor x2Apic ID : 000001FF
[0004]              Flags (decoded below) : 00000001
                        Processor Enabled : 1
[0004]                      Processor UID : 00000020

[0001]                      Subtable Type : 0A
[0001]                             Length : 0C
[0002]              Flags (decoded below) : 0005
                                 Polarity : 1
                             Trigger Mode : 1
[0004]                      Processor UID : FFFFFFFF
[0001]               Interrupt Input LINT : 01
[0003]                           Reserved : 000000

