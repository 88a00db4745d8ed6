//! The table for numbering.

use std::sync::LazyLock;

use super::{FIRST_STATE, LATE, STEPS, seats_of_two, ways};

/// By half of a state with an even number of cards left and the seats of the next two cards, the
/// number of deals in which one of these goes to an earlier seat.
///
/// All steps are odd, so that such a state is even.
pub(super) struct EarlierDeals {
    /// For states with more than [`LATE`] cards left, and 0 for others.
    pub(super) earlier: Vec<[u128; 16]>,
    /// For states with at most [`LATE`] cards left, and 0 for others. Half the size is
    /// half the time where the table is not in the nearest caches.
    pub(super) late: Vec<[u64; 16]>,
}

/// The only table.
pub(super) static EARLIER: LazyLock<EarlierDeals> = LazyLock::new(|| {
    let ways = ways();
    let has_cards = |state: usize, seat: usize| state / STEPS[seat] % 15 > 1;
    let mut earlier = vec![[0; 16]; FIRST_STATE / 2 + 1];
    let mut late = vec![[0; 16]; FIRST_STATE / 2 + 1];
    for half in 0..earlier.len() {
        let first = 2 * half;
        if ways[first] == 0 {
            continue;
        }
        let mut of_seats = [0u128; 16];
        for (seats, deals) in of_seats.iter_mut().enumerate() {
            let mut state = first;
            for seat in seats_of_two(seats) {
                if !has_cards(state, seat) {
                    break;
                }
                let before = STEPS[..seat].iter();
                *deals += before.map(|step| ways[state - step]).sum::<u128>();
                state -= STEPS[seat];
            }
        }
        let left: usize = STEPS.iter().map(|step| first / step % 15 - 1).sum();
        if left > LATE {
            earlier[half] = of_seats;
        } else {
            let few = |deals: u128| u64::try_from(deals).expect("LATE cards have fewer ways");
            late[half] = of_seats.map(few);
        }
    }
    EarlierDeals { earlier, late }
});
