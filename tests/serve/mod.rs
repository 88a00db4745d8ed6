//! The web application, over real connections and without any.

mod client;
mod ends;
mod flows;
mod forms;
mod fuzz_request;
mod guard;
mod hostile;
mod limits;
mod random;
mod same_results;
mod tournaments;
