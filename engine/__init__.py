"""The rules of Guandan (掼蛋): cards, plays, deals and matches, in C under a thin Python face."""
