//! Binomial coefficients up to 52, as a constant table.

const SIZE: usize = 53;

/// Every coefficient fits in 64 bits: the largest, C(52,26), has 49.
static TABLE: [[u64; SIZE]; SIZE] = pascal();

const fn pascal() -> [[u64; SIZE]; SIZE] {
    let mut table = [[0; SIZE]; SIZE];
    let mut n = 0;
    while n < SIZE {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

/// Returns n choose k for n up to 52; 0 if k > n, so that impossible cases have no weight.
///
/// # Panics
///
/// If n exceeds 52.
#[inline]
pub const fn choose(n: usize, k: usize) -> u128 {
    choose_u64(n, k) as u128
}

/// Returns [`choose`] in 64 bits, for coefficients that are not multiplied.
///
/// # Panics
///
/// If n exceeds 52.
#[inline]
pub const fn choose_u64(n: usize, k: usize) -> u64 {
    assert!(n < SIZE, "a deck has 52 cards");
    if k < SIZE { TABLE[n][k] } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomials_are_those_of_the_essays() {
        assert_eq!(choose(52, 13), 635_013_559_600);
        assert_eq!(choose(39, 13), 8_122_425_444);
        assert_eq!(choose(26, 13), 10_400_600);
        assert_eq!(choose(36, 12), 1_251_677_700);
        assert_eq!(choose(9, 10), 0);
        assert_eq!(choose(9, 60), 0);
        assert_eq!(choose(0, 0), 1);
        assert_eq!((0..=52).map(|k| choose(52, k)).sum::<u128>(), 1 << 52);
    }
}
