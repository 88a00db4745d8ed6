//! Against reference values, against the slow obvious way, against themselves.

mod evidence;
mod reference;
mod slow;

/// |value - expected| relative to `expected`.
fn relative(value: f64, expected: f64) -> f64 {
    if value == expected {
        0.0
    } else {
        (value - expected).abs() / expected.abs()
    }
}

/// Asserts that `value` is `expected` to within a relative error.
#[track_caller]
fn assert_near(value: f64, expected: f64, error: f64) {
    assert!(
        relative(value, expected) <= error,
        "{value:e} instead of {expected:e}: {:e}",
        relative(value, expected)
    );
}
