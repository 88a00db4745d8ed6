# Frequencies of HCP and of suit lengths at every seat, in the language of Thomas Andrews's deal.
main {
    foreach seat {north east south west} {
        incr F($seat,hcp,[hcp $seat])
        foreach suit {spades hearts diamonds clubs} { incr F($seat,$suit,[$suit $seat]) }
    }
    accept
}
proc write_deal {} {}
