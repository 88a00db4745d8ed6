//! The fields of a row, between commas, semicolons or tabs.

/// The bytes that may separate fields.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// The byte that separates the fields of a row: the one that occurs most outside of quotes.
pub(super) fn separator(row: &[u8]) -> u8 {
    let mut counts = [0; SEPARATORS.len()];
    let mut in_quotes = false;
    for &byte in row {
        in_quotes ^= byte == b'"';
        if !in_quotes && let Some(at) = SEPARATORS.iter().position(|&known| known == byte) {
            counts[at] += 1;
        }
    }
    let mut best = 0;
    for (at, &count) in counts.iter().enumerate() {
        if count > counts[best] {
            best = at;
        }
    }
    SEPARATORS[best]
}

/// The fields of a row, without the spaces and the pair of quotes around each. A separator within
/// quotes does not end a field, if every quote has its second.
pub(super) fn fields(row: &[u8], separator: u8) -> Vec<&[u8]> {
    let is_paired = row.iter().filter(|&&byte| byte == b'"').count() % 2 == 0;
    let mut in_quotes = false;
    let fields = row.split(|&byte| {
        in_quotes ^= byte == b'"' && is_paired;
        byte == separator && !in_quotes
    });
    fields.map(unquoted).collect()
}

fn unquoted(field: &[u8]) -> &[u8] {
    let field = field.trim_ascii();
    let inner = field
        .strip_prefix(b"\"")
        .and_then(|rest| rest.strip_suffix(b"\""));
    inner.unwrap_or(field).trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(row: &str) -> Vec<&str> {
        let fields = fields(row.as_bytes(), separator(row.as_bytes()));
        let fields = fields
            .into_iter()
            .map(|field| str::from_utf8(field).unwrap());
        fields.collect()
    }

    #[test]
    fn fields_are_split_where_they_end() {
        assert_eq!(split("a, b ,\"c\", \" d \""), ["a", "b", "c", "d"]);
        assert_eq!(split("a;\"b,c,d\";e"), ["a", "b,c,d", "e"]);
        assert_eq!(split("1,5\t2\t\t3"), ["1,5", "2", "", "3"]);
        assert_eq!(split("\"a\",b\",c"), ["a", "b\"", "c"]);
        assert_eq!(split("a"), ["a"]);
    }
}
