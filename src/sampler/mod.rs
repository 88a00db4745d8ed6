//! The choice of a sampler: how the deals of a request are found.
//!
//! Deals that satisfy a condition can be found in three ways. *Rejection* deals at random and
//! keeps what satisfies it: nothing to prepare, and as many draws for each deal as the condition
//! is rare. *Cells* and a *listing* draw satisfying deals directly, once they are made, which
//! takes from microseconds to minutes. So the choice is one of cost, and of cost for this
//! request: ten boards never repay a second of preparation, 10^9 deals do.
//!
//! [`choose`] begins with what is free. A pilot sample (`pilot.rs`) estimates the acceptance rate
//! of rejection, and so the price of the whole request. Cells are looked for with a budget
//! that is a fraction of that price (`search.rs`): of the whole condition, or of what it implies
//! of fewer hands, where the rest is left to a filter. All prices are steps of about a nanosecond
//! by fixed tables (`cost.rs`), and never measured: the choice is a function of the condition and
//! the request, so that a seed gives the same deals on every machine.

mod choose;
mod cost;
mod method;
mod pilot;
mod search;

pub use choose::{
    ChoiceError, Need, Reasons, Request, SamplerChoice, Source, choose, every_deal, exact,
    factored, listed, reject,
};
pub use cost::{LONG_RUN, Purpose, exact_steps};
pub use method::{Method, Sampling};
pub use pilot::Pilot;
pub use search::{Attempt, Outcome};
