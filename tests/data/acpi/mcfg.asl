// Two segments, one above 4 GiB.
[0004]                          Signature : "MCFG"
[0004]                       Table Length : 00000000
[0001]                           Revision : 01
[0001]                           Checksum : 00
[0006]                             Oem ID : "CLAY  "
[0008]                       Oem Table ID : "BOARD   "
[0004]                       Oem Revision : 00000001
[0004]                    Asl Compiler ID : "KILN"
[0004]              Asl Compiler Revision : 00000001

[0008]                           Reserved : 0000000000000000

[0008]                       Base Address : 00000000E0000000
[0002]               Segment Group Number : 0000
[0001]                   Start Bus Number : 00
[0001]                     End Bus Number : FF
[0004]                           Reserved : 00000000

[0008]                       Base Address : 0000004000000000
[0002]               Segment Group Number : 0001
[0001]                   Start Bus Number : 00
[0001]                     End Bus Number : 7F
[0004]                           Reserved : 00000000

