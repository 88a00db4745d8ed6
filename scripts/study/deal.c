/* Deals bridge hands with rand() of the C library: 52 digits a deal, the seats (1 north to 4 west)
 * of the cards from the ace of spades to the two of clubs.
 *
 *   deal METHOD DEALS SEED
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **arguments) {
    if (count != 4) return 64;
    const char *method = arguments[1];
    const long deals = atol(arguments[2]);
    const unsigned seed = (unsigned)atol(arguments[3]);
    const int is_reseeded = strcmp(method, "srand-number") == 0;
    const int is_drand48 = strcmp(method, "lrand48") == 0;
    const int is_scaled = strcmp(method, "rand-scaled") == 0;
    if (!is_reseeded && !is_drand48 && !is_scaled && strcmp(method, "rand") != 0) return 64;
    srand(seed);
    srand48(seed);
    for (long number = 0; number < deals; number++) {
        char deck[52], seats[52];
        if (is_reseeded) srand(seed * 100000000U + (unsigned)number);
        for (int card = 0; card < 52; card++) deck[card] = (char)card;
        for (int i = 51; i > 0; i--) {
            const long drawn = is_drand48 ? lrand48() : rand();
            const int j = (int)(is_scaled ? drawn / (RAND_MAX + 1.0) * (i + 1) : drawn % (i + 1));
            const char card = deck[i];
            deck[i] = deck[j];
            deck[j] = card;
        }
        for (int place = 0; place < 52; place++) seats[(int)deck[place]] = (char)('1' + place / 13);
        fwrite(seats, 1, 52, stdout);
    }
    return 0;
}
