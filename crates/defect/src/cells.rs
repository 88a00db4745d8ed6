//! Faults in the list from which cells are chosen: the deals satisfy the condition, but are not
//! equally likely.

use crate::population::cells::AliasColumn;

/// West has 20 HCP or more.
pub(super) const CONDITION: &str = "hcp(west) >= 20";

/// A column that two cells share half and half belongs to its own cell alone.
pub(super) fn lost_alias(columns: &mut [AliasColumn]) {
    if let Some(place) = shared(columns, 1 << 31) {
        columns[place].alias = columns[place].own;
    }
}

/// A column whose own cell has a quarter and one whose own cell has three quarters exchange their
/// thresholds.
pub(super) fn thresholds_exchanged(columns: &mut [AliasColumn]) {
    let quarter = 1 << 30;
    if let (Some(one), Some(other)) = (shared(columns, quarter), shared(columns, 3 * quarter)) {
        let threshold = columns[one].threshold;
        columns[one].threshold = columns[other].threshold;
        columns[other].threshold = threshold;
    }
}

/// Returns the place of the column whose threshold is nearest, among those whose own cell has no
/// other column: the cell has this share of a column.
fn shared(columns: &[AliasColumn], threshold: u32) -> Option<usize> {
    let mut is_alias = vec![false; columns.len()];
    for column in columns {
        is_alias[column.alias as usize] = true;
    }
    let is_shared = |place: &usize| !is_alias[columns[*place].own as usize];
    let places = (0..columns.len()).filter(is_shared);
    places.min_by_key(|place| columns[*place].threshold.abs_diff(threshold))
}
