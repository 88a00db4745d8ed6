//! Conversion of case records to the forms of their hands.

use super::DamagedCase;
use super::filling::{By, HandFilling};
use crate::bridge::Seat;
use crate::kernels::{self, Forms, HandFields, Isa, PACKET};
use crate::language::Predeal;
use crate::population::cases::{CaseFile, CaseRecord, Field};

/// The fields of a case file's records.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordFields {
    /// Fields of the lead, and of the hand that follows.
    fields: [Option<HandFields>; 2],
    /// Required content of the unused fields.
    off: u64,
    off_mask: u64,
}

/// A listed hand: its seat, its parts and their fields.
type ListedFields = ((Seat, By), HandFields);

impl RecordFields {
    /// Follows the file's header and first record. Also returns how its hands are completed.
    pub(super) fn new<D: AsRef<[u8]>>(
        file: &CaseFile<D>,
    ) -> Result<(Self, HandFilling), DamagedCase> {
        let record = file.records().first().ok_or(DamagedCase::NoCase(0))?;
        let case = record.case()?;
        let (first, second) = file.seats();
        if second.is_some() != case.second.is_some() || second == Some(first) {
            return Err(DamagedCase::Weight);
        }
        let fields = [Field::FirstPattern, Field::FirstHonours];
        let mut hands = vec![listed(first, record, fields)?];
        if let Some(seat) = second {
            let fields = [Field::SecondPattern, Field::SecondHonours];
            hands.push(listed(seat, record, fields)?);
        }
        // A hand with pattern and honours comes first.
        hands.sort_by_key(|((_, by), _)| *by != By::Both);
        let (lead, follow) = (hands[0], hands.get(1).copied());
        let off_mask = [
            Field::FirstPattern,
            Field::SecondPattern,
            Field::FirstHonours,
            Field::SecondHonours,
        ];
        let is_off = |field: Field| record.is_off(field).then_some(CaseRecord::mask(field));
        let off_mask = off_mask
            .into_iter()
            .filter_map(is_off)
            .fold(0, |all, mask| all | mask);
        let reading = Self {
            fields: [Some(lead.1), follow.map(|(_, fields)| fields)],
            off: record.hands_bits() & off_mask,
            off_mask,
        };
        let follow = follow.map(|(hand, _)| hand);
        let filling = HandFilling::new(lead.0, follow, None, &Predeal::NONE);
        Ok((reading, filling))
    }

    /// Reads the forms of the hands of the first `draws` cases; `cases` are the upper halves of
    /// records.
    pub(super) fn read(
        &self,
        isa: Isa,
        draws: usize,
        cases: &[u64; PACKET],
        forms: &mut [Forms; 3],
    ) -> Result<(), DamagedCase> {
        let differ = |all, case: &u64| all | (case ^ self.off) & self.off_mask;
        if cases.iter().take(draws).fold(0, differ) != 0 {
            return Err(DamagedCase::Weight);
        }
        for (fields, forms) in self.fields.into_iter().flatten().zip(forms) {
            kernels::read_cases(isa, fields, cases, forms);
        }
        Ok(())
    }
}

fn listed(
    seat: Seat,
    record: &CaseRecord,
    [pattern, honours]: [Field; 2],
) -> Result<ListedFields, DamagedCase> {
    let fields = HandFields {
        pattern: record.bit(pattern),
        honours: record.bit(honours),
    };
    let by = match (fields.pattern, fields.honours) {
        (Some(_), Some(_)) => By::Both,
        (Some(_), None) => By::Pattern,
        (None, Some(_)) => By::Honours,
        (None, None) => return Err(DamagedCase::Weight),
    };
    Ok(((seat, by), fields))
}
