//! What a search for the seeds of the first deals found.

/// Deals that were looked for among those of known generators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seeds {
    /// Deals that were looked for.
    pub deals: u64,
    /// Seeds that were tried by then, for every deal and way to deal.
    pub tried: u128,
    /// Deals that were found: a deal counts once, by however many methods and seeds.
    pub found: u64,
}
