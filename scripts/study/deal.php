<?php
// Deals bridge hands with shuffles of PHP: 52 digits a deal, the seats (1 north to 4 west) of the
// cards from the ace of spades to the two of clubs.
//
//   php deal.php METHOD DEALS SEED

[, $method, $deals, $seed] = $argv;
mt_srand((int) $seed);
$sorted = range(0, 51);
$text = '';
for ($number = 0; $number < (int) $deals; $number++) {
    $deck = $sorted;
    if ($method === 'mt_srand-each') {
        mt_srand(random_int(0, 0xFFFFFFFF));
        shuffle($deck);
    } elseif ($method === 'swap-any') {
        for ($i = 0; $i < 52; $i++) {
            $j = mt_rand(0, 51);
            [$deck[$i], $deck[$j]] = [$deck[$j], $deck[$i]];
        }
    } elseif ($method === 'shuffle') {
        shuffle($deck);
    } else {
        fwrite(STDERR, "unknown method $method\n");
        exit(64);
    }
    $seats = str_repeat('0', 52);
    foreach ($deck as $place => $card) {
        $seats[$card] = (string) (intdiv($place, 13) + 1);
    }
    $text .= $seats;
    if ($number % 1000 === 999 || $number === (int) $deals - 1) {
        fwrite(STDOUT, $text);
        $text = '';
    }
}
