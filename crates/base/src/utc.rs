//! The time of the clock in UTC, and dates as days since 1970.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const SECONDS_OF_A_DAY: u64 = 86_400;

/// A time in UTC, printed by RFC 3339: `2026-11-22T12:00:00.5Z`, or with a fixed number of decimals
/// by `{:.3}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcTime {
    since_1970: Duration,
}

impl UtcTime {
    /// The time of the clock; 1970 if that is earlier.
    pub fn now() -> Self {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
        let since_1970 = since_1970.unwrap_or_default();
        Self { since_1970 }
    }

    /// Year, month and day.
    pub fn date(self) -> (u64, u64, u64) {
        date_of(self.since_1970.as_secs() / SECONDS_OF_A_DAY)
    }

    /// Hours, minutes and seconds.
    fn clock(self) -> (u64, u64, u64) {
        let seconds = self.since_1970.as_secs() % SECONDS_OF_A_DAY;
        (seconds / 3_600, seconds / 60 % 60, seconds % 60)
    }
}

impl fmt::Display for UtcTime {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((year, month, day), (hours, minutes, seconds)) = (self.date(), self.clock());
        write!(
            out,
            "{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}"
        )?;
        let decimals = format!("{:09}", self.since_1970.subsec_nanos());
        match out.precision() {
            Some(count) => write!(out, ".{}Z", &decimals[..count.clamp(1, 9)]),
            None => match decimals.trim_end_matches('0') {
                "" => write!(out, "Z"),
                decimals => write!(out, ".{decimals}Z"),
            },
        }
    }
}

/// The date that is a number of days after 1970-01-01, by the algorithm of Howard Hinnant: years
/// begin in March, so that leap days are last, and repeat after 400 years.
fn date_of(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (
        day - (153 * month + 2) / 5 + 1,
        if month < 10 { month + 3 } else { month - 9 },
    );
    (year + 400 * era + u64::from(month <= 2), month, day)
}

/// The number of days from 1970-01-01 to a date in the form `2026-11-22`, negative before; `None`
/// if the text is not a date.
pub fn day_number(date: &str) -> Option<i64> {
    let fields: Vec<&str> = date.split('-').collect();
    let is_field = |(field, digits): (&&str, usize)| {
        field.len() == digits && field.bytes().all(|byte| byte.is_ascii_digit())
    };
    if fields.len() != 3 || !fields.iter().zip([4, 2, 2]).all(is_field) {
        return None;
    }
    let number = |place: usize| fields[place].parse::<i64>().ok();
    let (year, month, day) = (number(0)?, number(1)?, number(2)?);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=length).contains(&day) {
        return None;
    }
    let (year, month) = match month {
        1 | 2 => (year - 1, month + 9),
        _ => (year, month - 3),
    };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    Some(365 * year + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(since_1970: Duration) -> UtcTime {
        UtcTime { since_1970 }
    }

    #[test]
    fn times_are_printed_by_rfc_3339() {
        // Results of GNU date.
        for (seconds, nanoseconds, text) in [
            (0, 0, "1970-01-01T00:00:00Z"),
            (951_827_696, 500_000_000, "2000-02-29T12:34:56.5Z"),
            (1_795_867_199, 1, "2026-11-28T11:59:59.000000001Z"),
            (4_107_542_400, 120_000_000, "2100-03-01T00:00:00.12Z"),
        ] {
            let time = time(Duration::new(seconds, nanoseconds));
            assert_eq!(time.to_string(), text);
        }
        let time = time(Duration::from_millis(1_999));
        assert_eq!(format!("{time:.3}"), "1970-01-01T00:00:01.999Z");
        assert_eq!(format!("{time:.1}"), "1970-01-01T00:00:01.9Z");
    }

    #[test]
    fn dates_and_days_are_each_others_inverse() {
        let mut last = (0, 0, 0);
        for days in 0..200_000 {
            let (year, month, day) = date_of(days);
            assert!((year, month, day) > last);
            last = (year, month, day);
            let found = day_number(&format!("{year:04}-{month:02}-{day:02}"));
            assert_eq!(found, Some(days as i64));
        }
        assert_eq!(day_number("1969-12-31"), Some(-1));
        assert_eq!(day_number("0000-03-01"), Some(-719_468));
        assert_eq!(day_number("9999-12-31"), Some(2_932_896));
        for wrong in [
            "2026-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-01",
            "2026-04-31",
            "2026-01-00",
            "26-1-1",
            "2026-11",
            "2026-11-2 ",
            "+026-01-01",
            "",
        ] {
            assert_eq!(day_number(wrong), None, "{wrong}");
        }
    }
}
