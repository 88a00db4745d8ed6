//! Logarithms, exponentials, powers and angles with the same bits on every system.
//!
//! The functions of the standard library are those of the system, whose last digits differ from
//! system to system. These are libm's, which need no more than additions, multiplications and
//! divisions. So the methods of `f64` are disallowed by clippy.

pub use libm::{
    atan2, exp, expm1 as exp_m1, hypot, log as ln, log1p as ln_1p, log2, log10, pow as powf, sin,
    sincos as sin_cos,
};
