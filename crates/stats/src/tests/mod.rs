//! Tests against reference values, against slow direct computation, and for consistency.

mod best_mean;
mod evidence;
mod reference;
mod slow;

/// Returns |value - expected| relative to `expected`.
fn relative(value: f64, expected: f64) -> f64 {
    if value == expected {
        0.0
    } else {
        (value - expected).abs() / expected.abs()
    }
}

/// Asserts that `value` equals `expected` within a relative error.
#[track_caller]
fn assert_near(value: f64, expected: f64, error: f64) {
    assert!(
        relative(value, expected) <= error,
        "{value:e} instead of {expected:e}: {:e}",
        relative(value, expected)
    );
}
