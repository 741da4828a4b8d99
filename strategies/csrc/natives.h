/* The strategies that this extension hands out. */
#ifndef NATIVES_H
#define NATIVES_H

#include "guandan_strategy.h"

extern const gd_strategy guandan_random;
extern const gd_strategy guandan_greedy;

#endif
