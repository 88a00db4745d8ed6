# Deals bridge hands with shuffles of Perl: 52 digits a deal, the seats (1 north to 4 west) of the
# cards from the ace of spades to the two of clubs.
#
#   perl deal.pl METHOD DEALS SEED
use strict;
use warnings;
use List::Util qw(shuffle);

my ($method, $deals, $seed) = @ARGV;
die "unknown method $method\n" if $method !~ /^(shuffle|swap-any|srand-each)$/;
srand($seed);
my @places = map { int($_ / 13) + 1 } 0 .. 51;
my @sorted = 0 .. 51;
open my $urandom, '<:raw', '/dev/urandom' or die "/dev/urandom: $!\n";
for my $number (1 .. $deals) {
    my @deck = @sorted;
    if ($method eq 'swap-any') {
        for my $i (0 .. 51) {
            my $j = int(rand(52));
            @deck[$i, $j] = @deck[$j, $i];
        }
    } else {
        if ($method eq 'srand-each') {
            read($urandom, my $bytes, 4) == 4 or die "/dev/urandom: $!\n";
            srand(unpack('L', $bytes));
        }
        @deck = shuffle(@sorted);
    }
    my @seats;
    @seats[@deck] = @places;
    print @seats;
}
