/* What the expert looks at, for the player and for the script that fits its weights. */
#ifndef EXPERT_H
#define EXPERT_H

#include "expert_features.h"
#include "plan.h"
#include "unseen.h"

#define EXPERT_FEATURE_INDEX(name, group, meaning) EXPERT_##name,
enum { EXPERT_FEATURES_LIST(EXPERT_FEATURE_INDEX) EXPERT_FEATURES };

#define EXPERT_CONTEXT_INDEX(name, meaning) EXPERT_IN_##name,
enum { EXPERT_CONTEXTS_LIST(EXPERT_CONTEXT_INDEX) EXPERT_CONTEXTS };

enum { EXPERT_MOST = 96, EXPERT_ONE = 64, EXPERT_RESULTS = 6 };

/* A play that is considered. */
typedef struct expert_choice {
    uint32_t index; /* into view->plays */
    int32_t score;
    int16_t feature[EXPERT_FEATURES];
} expert_choice;

/* The plays worth considering, at most EXPERT_MOST, each with its features and score; returns their number, at least 1. */
unsigned expert_consider(const gd_view *view, expert_choice *choices);

/* Where the decision is made (EXPERT_IN_...). */
unsigned expert_context(const gd_view *view);

#endif
