/* The strategies that this extension hands out: a new one is a line here. */
#ifndef NATIVES_H
#define NATIVES_H

#include "guandan_strategy.h"

#define NATIVES(X) X(guandan_random) X(guandan_greedy) X(guandan_solid) X(guandan_expert) X(guandan_search)

#define DECLARE_NATIVE(strategy) extern const gd_strategy strategy;
NATIVES(DECLARE_NATIVE)

#endif
