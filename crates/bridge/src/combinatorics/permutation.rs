//! The orders of four things: seats or suits.

/// All 24 orders of 0 .. 3. Each is read as a number of base 4 from its lowest digit, and the
/// numbers ascend.
pub const ORDERS_OF_FOUR: [[u8; 4]; 24] = {
    let (mut orders, mut count, mut number) = ([[0; 4]; 24], 0, 0_u32);
    while number < 256 {
        let order = [number & 3, number >> 2 & 3, number >> 4 & 3, number >> 6];
        if 1 << order[0] | 1 << order[1] | 1 << order[2] | 1 << order[3] == 0b1111 {
            orders[count] = [
                order[0] as u8,
                order[1] as u8,
                order[2] as u8,
                order[3] as u8,
            ];
            count += 1;
        }
        number += 1;
    }
    assert!(count == 24);
    orders
};

/// Returns all orders of four things.
#[inline]
pub fn orders_of<T: Copy>(things: [T; 4]) -> impl Iterator<Item = [T; 4]> {
    let orders = ORDERS_OF_FOUR.iter();
    orders.map(move |order| order.map(|place| things[usize::from(place)]))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_order_comes_once() {
        let orders: BTreeSet<[u8; 4]> = ORDERS_OF_FOUR.into();
        assert_eq!(orders.len(), 24);
        for mut order in orders {
            order.sort_unstable();
            assert_eq!(order, [0, 1, 2, 3]);
        }
        assert_eq!(orders_of(["s", "h", "d", "c"]).count(), 24);
    }
}
