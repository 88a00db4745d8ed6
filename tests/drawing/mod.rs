//! Drawing of deals: exact uniformity, and independence of the number of threads.

mod agreement;
mod dealer;
mod draws;
mod filters;
mod mixes;
mod portions;
mod predeal;
mod same_counts;
