// The questions are inlined where they are asked; this file makes the header a target.
#include "CBytes.h"
