/* What the expert looks at in a play: X(name, group, meaning). A feature is 64 when it is there in full. Groups are what the
 * parameters of the strategy scale. The weights are in expert_table.h. */
#ifndef EXPERT_FEATURES_H
#define EXPERT_FEATURES_H

#define EXPERT_FEATURES_LIST(X) \
    X(single, plan, "single left") \
    X(single_holds, plan, "single left that nobody beats") \
    X(single_power, plan, "power of single left") \
    X(single_low, plan, "how far a single left lies below nine") \
    X(pair, plan, "pair left") \
    X(pair_holds, plan, "pair left that nobody beats") \
    X(pair_power, plan, "power of pair left") \
    X(pair_low, plan, "how far a pair left lies below nine") \
    X(triple, plan, "triple left") \
    X(triple_holds, plan, "triple left that nobody beats") \
    X(triple_power, plan, "power of triple left") \
    X(house, plan, "full house left") \
    X(house_holds, plan, "full house left that nobody beats") \
    X(house_power, plan, "power of full house left") \
    X(chain, plan, "tube or plate left") \
    X(chain_holds, plan, "tube or plate left that nobody beats") \
    X(straight, plan, "straight left") \
    X(straight_holds, plan, "straight left that nobody beats") \
    X(four, keep, "bomb of four left") \
    X(five, keep, "bomb of five left") \
    X(flush, keep, "straight flush left") \
    X(six, keep, "bomb of six or more left") \
    X(bomb_power, keep, "power of bomb left") \
    X(wild, keep, "wild left") \
    X(one, finish, "one turn left") \
    X(two, finish, "two turns left") \
    X(three, finish, "three turns left") \
    X(lack, finish, "turns without a way back to the lead") \
    X(turns, finish, "turns left, squared") \
    X(cards, finish, "cards left") \
    X(run, finish, "chance to run to the end from the lead") \
    X(hold_run, finish, "chance to hold and run to the end") \
    X(sure_one, finish, "holds against bombs too with one turn left") \
    X(sure_run, finish, "nothing left but one group can be answered") \
    X(two_bomb, finish, "two turns left, one a bomb") \
    X(three_bomb, finish, "three turns left, one or more of them bombs") \
    X(mate_bombs, keep, "bombs left while the partner has five or fewer") \
    X(hold_one, finish, "holds with one turn left") \
    X(hold_two, finish, "holds with two turns left") \
    X(hold_path, finish, "holds with a way to the end") \
    X(give_out, give, "opponent answers and is out") \
    X(give_near, give, "opponent answers and has one or two left") \
    X(give_mid, give, "opponent answers and has three to six left") \
    X(feed_out, feed, "partner answers and is out") \
    X(feed_near, feed, "partner answers and has one to three left") \
    X(feed_mid, feed, "partner answers and has four to eight left") \
    X(lead_holds, lead, "lead that holds") \
    X(lead_next, lead, "lead that the next can answer") \
    X(lead_mate, lead, "lead that the partner can answer") \
    X(lead_size, lead, "cards of a lead") \
    X(lead_back, lead, "lead with a control of the kind behind it") \
    X(lead_single, lead, "lead of a single") \
    X(lead_pair, lead, "lead of a pair") \
    X(lead_triple, lead, "lead of a triple") \
    X(lead_house, lead, "lead of a full house") \
    X(lead_chain, lead, "lead of a tube or plate") \
    X(lead_straight, lead, "lead of a straight") \
    X(lead_out, give, "lead that lets an opponent answer and be out") \
    X(lead_mate_likes, lead, "lead of a kind that the partner has led") \
    X(lead_next_likes, lead, "lead of a kind that the next has led") \
    X(lead_prev_likes, lead, "lead of a kind that the one before has led") \
    X(answer, answer, "answer to an opponent") \
    X(answer_holds, answer, "answer that holds") \
    X(answer_next, answer, "answer that the next can answer") \
    X(answer_mate, answer, "answer that the partner can answer") \
    X(answer_for, answer, "answer where the partner could") \
    X(answer_out, answer, "answer to an opponent who is out") \
    X(answer_2, answer, "answer to one with one or two left") \
    X(answer_5, answer, "answer to one with three to five left") \
    X(answer_10, answer, "answer to one with six to ten left") \
    X(answer_run, answer, "answer to one with five or fewer, chance to run to the end") \
    X(over, over, "answer to the partner") \
    X(over_safe, over, "answer to a partner whose play would stand") \
    X(over_holds, over, "answer to the partner that holds") \
    X(over_near, over, "answer to a partner with five or fewer left") \
    X(over_10, over, "answer to a partner with six to ten left") \
    X(over_out, over, "answer to the partner where the next would answer and be out") \
    X(over_guard, over, "answer to the partner against a next with five or fewer") \
    X(over_power, over, "power added to the partner's") \
    X(over_bomb, over, "bomb over the partner") \
    X(bomb, bomb, "bomb laid") \
    X(bomb_lead, bomb, "bomb led") \
    X(bomb_bomb, bomb, "bomb over a bomb") \
    X(bomb_early, bomb, "bomb with twenty cards or more") \
    X(bomb_holds, bomb, "bomb that holds") \
    X(bomb_5, bomb, "bomb over one with five or fewer left") \
    X(bomb_10, bomb, "bomb over one with six to ten left") \
    X(bomb_for, bomb, "bomb where the partner could answer") \
    X(bomb_two, bomb, "bomb with two turns left")

/* Where a play is made: C(name, meaning). Each has weights of its own. */
#define EXPERT_CONTEXTS_LIST(C) \
    C(early, "all are in, no opponent is below thirteen cards") \
    C(middle, "all are in, an opponent has seven to twelve") \
    C(near, "all are in, an opponent has six or fewer") \
    C(mate_out, "the partner is out, no opponent is") \
    C(foe_out, "an opponent is out, the partner is not") \
    C(duel, "the partner and an opponent are out")

#endif
