# Deals bridge hands with programs of the shell: 52 digits a deal, the seats (1 north to 4 west) of
# the cards from the ace of spades to the two of clubs.
#
#   bash deal.sh shuf|sort DEALS SEED
set -euo pipefail
method=$1 deals=$2
seats() { awk 'BEGIN { ORS = "" } { seat[$NF] = int((NR - 1) % 52 / 13) + 1 }
    NR % 52 == 0 { for (card = 0; card < 52; card++) print seat[card] }'; }
case $method in
shuf) for ((number = 0; number < deals; number++)); do shuf -i 0-51; done | seats ;;
# One sort of all deals: by the number of the deal, then by the hash of number and card.
sort) awk -v deals="$deals" 'BEGIN { for (n = 1; n <= deals; n++) for (c = 0; c < 52; c++) print n, n "-" c, c }' |
    LC_ALL=C sort -s -k1,1n -k2,2R | seats ;;
*) echo "unknown method $method" >&2 && exit 64 ;;
esac
