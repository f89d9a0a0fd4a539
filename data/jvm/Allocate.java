import java.util.ArrayDeque;
import java.util.SplittableRandom;

/**
 * A program that gives the garbage collector much to do.
 *
 * <p>It keeps the newest orders of many customers in memory, as a cache or a message broker would.
 * The cache grows for the first two thirds of the run and then stays full: every new order pushes
 * an old one out. Around each order it makes objects that are thrown away at once, as the handling
 * of a request does.
 *
 * <p>Usage: {@code java Allocate SECONDS LIVE_GIB}. It ends by itself after about SECONDS. A stop
 * that is under way at that moment is waited for.
 */
public final class Allocate {
    private static final int CUSTOMERS = 20_000;

    /** Average bytes of one cached order: the record, its text, the place in the queue. */
    private static final int BYTES_PER_ORDER = 176;

    /** Objects thrown away at once, for each order that is kept. */
    private static final int THROWN_AWAY = 24;

    /** One cached order. */
    private record Order(long number, byte[] text) {}

    public static void main(String[] arguments) {
        if (arguments.length != 2) {
            System.err.println("usage: java Allocate SECONDS LIVE_GIB");
            System.exit(2);
        }
        long runNanos = (long) (Double.parseDouble(arguments[0]) * 1e9);
        double liveBytes = Double.parseDouble(arguments[1]) * (1L << 30);
        double ordersEachWhenFull = liveBytes / BYTES_PER_ORDER / CUSTOMERS;

        @SuppressWarnings({"unchecked", "rawtypes"})
        ArrayDeque<Order>[] cache = new ArrayDeque[CUSTOMERS];
        for (int i = 0; i < CUSTOMERS; i++) {
            cache[i] = new ArrayDeque<>();
        }

        // A fixed seed: each run does the same work, only the pauses differ.
        SplittableRandom random = new SplittableRandom(1);
        long orders = 0;
        long checksum = 0;
        long longestGap = 0;
        long start = System.nanoTime();
        long before = start;
        while (before - start < runNanos) {
            double filled = Math.min(1.0, (before - start) / (runNanos * 2.0 / 3.0));
            int ordersEach = 1 + (int) (ordersEachWhenFull * filled);

            // A short batch between two looks at the clock.
            for (int i = 0; i < 100; i++) {
                ArrayDeque<Order> queue = cache[random.nextInt(CUSTOMERS)];
                byte[] text = new byte[16 + random.nextInt(224)];
                queue.addLast(new Order(orders++, text));
                if (queue.size() > ordersEach) {
                    checksum += queue.removeFirst().number();
                }
                for (int j = 0; j < THROWN_AWAY; j++) {
                    byte[] thrownAway = new byte[64 + random.nextInt(512)];
                    thrownAway[0] = (byte) j;
                    checksum += thrownAway[0];
                }
            }

            // The program itself sees a stop only afterwards, as a jump of its clock.
            long now = System.nanoTime();
            longestGap = Math.max(longestGap, now - before);
            before = now;
        }
        System.out.printf(
                "%d orders, longest gap seen by the program itself %.3f ms (checksum %d)%n",
                orders, longestGap / 1e6, checksum);
    }
}
