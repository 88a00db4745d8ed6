import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Deals bridge hands with shuffles of Java: 52 digits a deal, the seats (1 north to 4 west) of the
 * cards from the ace of spades to the two of clubs.
 *
 * <p>java Deal METHOD DEALS SEED
 */
final class Deal {
    private Deal() {}

    public static void main(String[] arguments) throws IOException {
        String method = arguments[0];
        long deals = Long.parseLong(arguments[1]);
        long seed = Long.parseLong(arguments[2]);
        Random random =
                switch (method) {
                    case "Random", "seed-number", "swap-any" -> new Random(seed);
                    case "SecureRandom" -> new SecureRandom();
                    case "ThreadLocalRandom" -> ThreadLocalRandom.current();
                    default -> throw new IllegalArgumentException("unknown method " + method);
                };
        List<Integer> sorted = new ArrayList<>();
        for (int card = 0; card < 52; card++) sorted.add(card);
        byte[] seats = new byte[52];
        try (OutputStream out = new BufferedOutputStream(System.out, 1 << 16)) {
            for (long number = 0; number < deals; number++) {
                List<Integer> deck = new ArrayList<>(sorted);
                if (method.equals("swap-any")) {
                    for (int i = 0; i < 52; i++) Collections.swap(deck, i, random.nextInt(52));
                } else if (method.equals("seed-number")) {
                    Collections.shuffle(deck, new Random(seed * 100_000_000L + number));
                } else {
                    Collections.shuffle(deck, random);
                }
                for (int place = 0; place < 52; place++) seats[deck.get(place)] = (byte) (49 + place / 13);
                out.write(seats);
            }
        }
    }
}
