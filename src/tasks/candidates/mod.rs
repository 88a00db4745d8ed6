//! Tables of candidates, leads or contracts: each is solved on the same deals, and betting on the
//! differences decides which is best.
//!
//! | file | contents |
//! |---|---|
//! | `request.rs` | what both tables need |
//! | `dealing.rs` | deals, solves and decides |
//! | `leads.rs`, `contracts.rs` | the candidates, and what each is worth on a deal |

mod contracts;
mod dealing;
mod leads;
mod request;

pub use contracts::{ContractCriterion, ContractQuestion, contract_table};
pub use leads::{LeadCriterion, LeadQuestion, lead_table};
pub use request::{CandidateRequest, DEFAULT_CANDIDATE_DEALS};
