# Deals bridge hands with rand() of awk: 52 digits a deal, the seats (1 north to 4 west) of the
# cards from the ace of spades to the two of clubs.
#
#   awk -v method=METHOD -v deals=DEALS -v seed=SEED -f deal.awk
BEGIN {
    ORS = ""
    srand(seed)
    for (number = 0; number < deals; number++) {
        if (method == "srand-number") srand(seed * 100000000 + number)
        for (card = 0; card < 52; card++) deck[card] = card
        for (i = 51; i > 0; i--) {
            j = int(rand() * (i + 1))
            card = deck[i]; deck[i] = deck[j]; deck[j] = card
        }
        for (place = 0; place < 52; place++) seats[deck[place]] = int(place / 13) + 1
        line = ""
        for (card = 0; card < 52; card++) line = line seats[card]
        print line
    }
}
