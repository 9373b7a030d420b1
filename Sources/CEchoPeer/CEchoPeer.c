#include "CEchoPeer.h"
