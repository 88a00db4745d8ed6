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
    // By seat: the number of deals in which the next card goes to an earlier seat.
    let before = |state: usize| {
        let [north, east, south, _] = STEPS.map(|step| ways[state - step]);
        [0, north, north + east, north + east + south]
    };
    let mut earlier = vec![[0; 16]; FIRST_STATE / 2 + 1];
    let mut late = vec![[0; 16]; FIRST_STATE / 2 + 1];
    for half in 0..earlier.len() {
        let first = 2 * half;
        if ways[first] == 0 {
            continue;
        }
        let left = STEPS.map(|step| first / step % 15 - 1);
        let of_first = before(first);
        let of_second = [0, 1, 2, 3].map(|seat| match left[seat] {
            0 => [0; 4],
            _ => before(first - STEPS[seat]),
        });
        let of_seats: [u128; 16] = std::array::from_fn(|seats| {
            let [seat, next] = seats_of_two(seats);
            let has_next = left[next] > usize::from(seat == next);
            match left[seat] {
                0 => 0,
                _ if has_next => of_first[seat] + of_second[seat][next],
                _ => of_first[seat],
            }
        });
        if left.iter().sum::<usize>() > LATE {
            earlier[half] = of_seats;
        } else {
            let few = |deals: u128| u64::try_from(deals).expect("LATE cards have fewer ways");
            late[half] = of_seats.map(few);
        }
    }
    EarlierDeals { earlier, late }
});
