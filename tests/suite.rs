//! The tests of the library and the program: one test binary, so that the library is linked once and no test waits for
//! those of another binary.

mod audits;
mod battery;
mod common;
mod drawing;
mod files;
mod language;
mod library;
mod populations;
mod program;
mod reports;
mod runs;
#[cfg(feature = "serve")]
mod serve;
mod theory;
