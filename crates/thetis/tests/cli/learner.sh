#!/bin/sh
# A learner that always says the same, if the points are what it expects.
head -n 1 "$1" | grep -q '^label,' && grep -q '^positive,' "$1" && grep -q '^negative,' "$1" && echo '(< x y)' > "$2"
