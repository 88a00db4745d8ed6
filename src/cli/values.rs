//! Counts, times, orders and rows as people type them.

use std::ops::{Range, RangeInclusive};
use std::time::Duration;

use fairdeal::bridge::Seat;
use fairdeal::number;
use fairdeal::population::seats_of;
use fairdeal::report::grouped;
use fairdeal::run::{LARGEST_BATCH, MOST_DEALS};
use jiff::{Span, SpanRelativeTo};

/// A count such as `10485760`, `10_485_760`, `64M` or `64Mi`.
///
/// K, M, G and T are thousands; Ki, Mi, Gi and Ti are 1,024s.
pub(super) fn count(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not a count such as 10485760, 100M or 64Mi");
    let digits_end = text
        .find(|c: char| !(c.is_ascii_digit() || c == '_' || c == ','))
        .unwrap_or(text.len());
    let (digits, suffix) = text.split_at(digits_end);
    let number = integer(digits).ok_or_else(wrong)?;
    let unit: u64 = match suffix {
        "" => 1,
        "K" | "k" => 1_000,
        "M" => 1_000_000,
        "G" => 1_000_000_000,
        "T" => 1_000_000_000_000,
        "Ki" => 1 << 10,
        "Mi" => 1 << 20,
        "Gi" => 1 << 30,
        "Ti" => 1 << 40,
        _ => return Err(wrong()),
    };
    match number.checked_mul(unit) {
        Some(0) => Err("0 is too few".to_owned()),
        Some(count) => Ok(count),
        None => Err(format!("`{text}` does not fit in 64 bits")),
    }
}

/// A count of deals: at most 10^16.
pub(super) fn deals(text: &str) -> Result<u64, String> {
    let deals = count(text)?;
    if deals > MOST_DEALS {
        return Err(format!("a run has at most {} deals", grouped(MOST_DEALS)));
    }
    Ok(deals)
}

/// A time such as `500ms`, `90s`, `1h30m` or `2d`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a time such as 90s, 10m, 1h30m or 2d");
    let span: Span = text.parse().map_err(|_| wrong())?;
    let time = span.to_duration(SpanRelativeTo::days_are_24_hours());
    time.map_err(|_| wrong())?.try_into().map_err(|_| wrong())
}

/// The seconds of a day such as `2026-11-22` (UTC) and of the days beside it, since 1970.
pub(super) fn days(text: &str) -> Result<Range<i64>, String> {
    let date: jiff::civil::Date = text
        .parse()
        .map_err(|_| format!("`{text}` is not a day such as 2026-11-22"))?;
    let start = date
        .to_zoned(jiff::tz::TimeZone::UTC)
        .map_err(|error| error.to_string())?;
    let start = start.timestamp().as_second();
    Ok(start - 86_400..start + 2 * 86_400)
}

/// Two different seats separated by a comma: `north,south`.
pub(super) fn pair(text: &str) -> Result<[Seat; 2], String> {
    let seat = |name: &str| {
        let mut letters = name.chars();
        let letter = letters.next().filter(|_| letters.as_str().is_empty());
        let letter = letter.and_then(|letter| Seat::from_letter(letter.to_ascii_uppercase()));
        Seat::from_name(name).or(letter)
    };
    let pair = text
        .split_once(',')
        .and_then(|(one, other)| Some([seat(one)?, seat(other)?]));
    let pair = pair.filter(|[one, other]| one != other);
    pair.ok_or_else(|| format!("`{text}` is not two different seats, such as north,south"))
}

/// What goes by a name; if nothing does, or for `help`, all names and what they are.
pub(super) fn listed<T>(
    name: &str,
    found: Option<T>,
    all: impl Iterator<Item = (&'static str, &'static str)>,
) -> Result<T, String> {
    found.ok_or_else(|| {
        let lines: String = all
            .map(|(name, what)| format!("\n  {name:<30} {what}"))
            .collect();
        match name {
            "help" => format!("one of these has to follow:{lines}"),
            name => format!("`{name}` is not one of:{lines}"),
        }
    })
}

/// A size of batches: a count of at most 2^36.
pub(super) fn batch(text: &str) -> Result<u64, String> {
    let deals = count(text)?;
    if deals > LARGEST_BATCH {
        return Err("a batch holds at most 64Gi deals".to_owned());
    }
    Ok(deals)
}

/// Deals to keep: a count of at most 2^32, 64 GiB.
pub(super) fn kept(text: &str) -> Result<u64, String> {
    let deals = count(text)?;
    if deals < 1 << 10 {
        return Err("fewer than 1Ki deals are hardly ever equal".to_owned());
    }
    if deals > 1 << 32 {
        return Err("at most 4Gi deals can be kept: they take 64 GiB".to_owned());
    }
    Ok(deals)
}

fn integer(text: &str) -> Option<u64> {
    u64::try_from(number::parse_decimal(text)?).ok()
}

/// One or two seats separated by a comma: `east,west`.
pub(super) fn order(text: &str) -> Result<Vec<Seat>, String> {
    seats_of(text).ok_or_else(|| {
        format!("`{text}` is not one or two of north, east, south, west, as in east,west")
    })
}

/// Rows as `A..B`, both included, from 1; either may be left out.
pub(super) fn rows(text: &str) -> Result<RangeInclusive<u64>, String> {
    let wrong = || format!("`{text}` is not rows such as 1..30, 31.. or ..30");
    let (first, last) = text.split_once("..").ok_or_else(wrong)?;
    let bound = |text: &str, default| match text {
        "" => Ok(default),
        digits => integer(digits).ok_or_else(wrong),
    };
    let (first, last) = (bound(first, 1)?, bound(last, u64::MAX)?);
    if first == 0 || last < first {
        return Err(wrong());
    }
    Ok(first..=last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_take_suffixes() {
        assert_eq!(count("10_485_760"), Ok(10_485_760));
        assert_eq!(count("10,485,760"), Ok(10_485_760));
        assert_eq!(count("100M"), Ok(100_000_000));
        assert_eq!(count("64Mi"), Ok(67_108_864));
        for wrong in ["", "M", "1.5M", "1,5M", "-3", "10Q", "0", "20000000T"] {
            assert!(count(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_run_has_at_most_ten_thousand_million_million_deals() {
        assert_eq!(deals("10000T"), Ok(MOST_DEALS));
        let refused = Err("a run has at most 10,000,000,000,000,000 deals".to_owned());
        assert_eq!(deals("10_000_000_000_000_001"), refused);
    }

    #[test]
    fn rows_include_both_ends() {
        assert_eq!(rows("1..30"), Ok(1..=30));
        assert_eq!(rows("..5"), Ok(1..=5));
        assert_eq!(rows("7.."), Ok(7..=u64::MAX));
        for wrong in ["0..3", "5..4", "5", "a..b"] {
            assert!(rows(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn pairs_are_two_different_seats() {
        let expected = Ok([Seat::North, Seat::South]);
        assert_eq!(pair("north,south"), expected);
        assert_eq!(pair("n,S"), expected);
        assert!(pair("north,north").is_err());
        assert!(pair("north").is_err());
        assert!(pair("north,south,east").is_err());
    }

    #[test]
    fn times_and_days_have_their_units() {
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("2h"), Ok(Duration::from_secs(7_200)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1h30m"), Ok(Duration::from_secs(5_400)));
        assert_eq!(duration("2d"), Ok(Duration::from_secs(172_800)));
        assert!(duration("-5s").is_err() && duration("1mo").is_err());
        assert!(duration("90").is_err());
        assert!(duration("m").is_err());
        assert_eq!(days("1970-01-02"), Ok(0..3 * 86_400));
        assert!(days("yesterday").is_err());
    }

    #[test]
    fn orders_are_one_or_two_seats() {
        assert_eq!(order("east,west"), Ok(vec![Seat::East, Seat::West]));
        assert_eq!(order("south"), Ok(vec![Seat::South]));
        assert!(order("east,west,north").is_err());
        assert!(order("E,W").is_err());
    }
}
