import sys

from redeal import Deal

dealer = Deal.prepare()
for _ in range(int(sys.argv[1])):
    print(dealer())
