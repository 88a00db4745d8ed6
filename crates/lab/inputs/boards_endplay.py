import sys

from endplay.dealer import generate_deals

boards = int(sys.argv[1])
for deal in generate_deals(produce=boards, max_attempts=boards):
    print(deal)
