# Deals bridge hands with shuffles of Ruby: 52 digits a deal, the seats (1 north to 4 west) of the
# cards from the ace of spades to the two of clubs.
#
#   ruby deal.rb METHOD DEALS SEED

method, deals, seed = ARGV[0], ARGV[1].to_i, ARGV[2].to_i
srand(seed)
sorted = (0..51).to_a
places = (0..51).map { |place| 49 + place / 13 }
deals.times do
  deck =
    case method
    when "shuffle" then sorted.shuffle
    when "sort_by" then sorted.sort_by { rand }
    else abort "unknown method #{method}"
    end
  seats = Array.new(52)
  deck.each_with_index { |card, place| seats[card] = places[place] }
  $stdout.write(seats.pack("C*"))
end
