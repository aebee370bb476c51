#include "sim/engine.h"
#include <cstdio>
int main(){ std::string e; if(!kiln::sim::boot(&e)){ printf("boot: %s\n", e.c_str()); return 1;} printf("booted gen %llx\n",(unsigned long long)kiln::sim::machine_generation()); return 0; }
