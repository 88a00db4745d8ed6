//! The request of a table of candidates.

use std::time::Duration;

use crate::run::DealCount;
use crate::sampler::Sampling;
use crate::tasks::RandomRequest;
use crate::threads::Threads;

/// Number of deals at which an undecided table ends by default.
pub const DEFAULT_CANDIDATE_DEALS: u64 = 100_000;

/// What a table of leads and one of contracts need.
#[derive(Clone, Debug)]
pub struct CandidateRequest {
    /// Name of the report.
    pub name: String,
    /// Number of deals, all of which are solved; by default as many as a decision needs, at most the
    /// script's limit or [`DEFAULT_CANDIDATE_DEALS`].
    pub deals: Option<DealCount>,
    /// The random words.
    pub random: RandomRequest,
    /// Number of threads: all cores by default.
    pub threads: Option<Threads>,
    /// Time limit.
    pub time: Option<Duration>,
    /// Choice of the sampler.
    pub sampling: Sampling,
    /// The confidence of the decision and of the limits, between 0 and 1.
    pub confidence: f64,
    /// The difference of means below which candidates count as equal, above 0; by default that of
    /// the criterion.
    pub within: Option<f64>,
}
