// Deals bridge hands with shuffles of Go: 52 digits a deal, the seats (1 north to 4 west) of the
// cards from the ace of spades to the two of clubs.
//
//	deal METHOD DEALS SEED
package main

import (
	"bufio"
	crypto "crypto/rand"
	"encoding/binary"
	"fmt"
	"math/rand"
	"os"
	"strconv"
)

func main() {
	method := os.Args[1]
	deals, _ := strconv.ParseInt(os.Args[2], 10, 64)
	seed, _ := strconv.ParseInt(os.Args[3], 10, 64)
	random := rand.New(rand.NewSource(seed))
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	defer out.Flush()
	var seats [52]byte
	for number := int64(0); number < deals; number++ {
		var deck [52]int
		for card := range deck {
			deck[card] = card
		}
		switch method {
		case "Shuffle":
		case "Seed-each":
			var bytes [8]byte
			if _, err := crypto.Read(bytes[:]); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(74)
			}
			random.Seed(int64(binary.LittleEndian.Uint64(bytes[:])))
		default:
			fmt.Fprintln(os.Stderr, "unknown method", method)
			os.Exit(64)
		}
		random.Shuffle(52, func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
		for place, card := range deck {
			seats[card] = byte('1' + place/13)
		}
		out.Write(seats[:])
	}
}
