//! Every test of the plan, from what was counted.

use super::counts;
use super::drawn;
use super::expected::Expected;
use super::few::FewDeals;
use super::plan::{Planned, Subject, Test};
use super::second_order as pairs;
use super::table_law::{Measured, TableLaw};
use super::{FIRST_LOOK, sessions};
use crate::bridge::{Card, Pattern, Seat, Shape};
use crate::tally::{LAGS, Overlaps, SecondOrder, Survey, Tally};

/// What all tests of a look share.
pub(super) struct Look<'s> {
    pub(super) survey: &'s Survey,
    pub(super) tally: Tally,
    pub(super) expected: &'s Expected,
    pub(super) tables: &'s [Option<TableLaw>],
    /// Perfect sets, for tests of too few deals for their laws.
    pub(super) reference: Option<&'s super::Reference>,
    /// Whether p-values are wanted, which take time, and not the statistics alone.
    pub(super) wants_laws: bool,
    /// The worst card and seat, made once.
    pub(super) worst: Measured,
    /// T2a to T2d and T2, made once.
    pub(super) within: Option<[Measured; 5]>,
}

impl Look<'_> {
    /// A test's result, if it may be looked at by now.
    pub(super) fn measure(&self, index: usize, planned: &Planned) -> Option<Measured> {
        let measured = self.unbounded(index, planned)?;
        if measured.deals >= planned.test.least() {
            return Some(measured);
        }
        let placed = self.reference?.place(index, measured.statistic)?;
        Some(placed.measure(measured))
    }

    /// The laws of few deals, if there are few and their laws are wanted.
    fn few(&self, deals: u64) -> Option<&FewDeals> {
        let whole = self.expected.whole.as_ref();
        let whole = whole.filter(|_| deals < FIRST_LOOK && self.wants_laws);
        whole.map(|whole| &whole.few)
    }

    fn within(&self) -> Option<&SecondOrder> {
        self.survey.gram.as_ref().map(|gram| &gram.within)
    }

    /// A test's result, whether its law holds yet or not.
    pub(super) fn unbounded(&self, index: usize, planned: &Planned) -> Option<Measured> {
        let (survey, tally, expected) = (self.survey, &self.tally, self.expected);
        let deals = tally.deals();
        if let Some(cells) = &self.tables[index] {
            return self.table(cells, planned);
        }
        let whole = expected.whole.as_ref();
        let of_cases = expected.drawn.as_ref();
        let few = self.few(deals);
        match (planned.test, planned.subject) {
            (Test::CardSeat, _) => {
                let measured = pairs::card_seat(tally, &self.worst);
                Some(match few {
                    Some(few) if deals >= planned.test.least() => few.card_seat(measured),
                    _ => measured,
                })
            }
            (Test::WorstCard | Test::CardTable, _) => Some(self.worst.clone()),
            (Test::Heterogeneity, _) => pairs::card_seat_heterogeneity(survey.groups()),
            (Test::SameHand, _) => self.within.as_ref().map(|parts| parts[0].clone()),
            (Test::WhichHand, _) => self.within.as_ref().map(|parts| parts[1].clone()),
            (Test::Symmetric, _) => self.within.as_ref().map(|parts| parts[2].clone()),
            (Test::Antisymmetric, _) => self.within.as_ref().map(|parts| parts[3].clone()),
            (Test::SecondOrder, _) => self.within.as_ref().map(|parts| parts[4].clone()),
            (Test::Contrast, Subject::Contrast(contrast)) => {
                let sums = self.within().filter(|sums| sums.pairs() > 0)?;
                Some(pairs::contrast(sums, contrast))
            }
            (Test::MeanFlatness, _) => {
                let halves = survey.spread.flatness();
                let measured = counts::flatness_mean(halves, deals);
                Some(match few {
                    Some(few) => few.flatness_mean(halves, measured),
                    None => measured,
                })
            }
            (Test::SessionFlatness, _) => {
                let law = &whole?.few.half_flatness;
                sessions::picked(&survey.sessions, law, |session| session.flatness / 2)
            }
            (Test::SessionVoids, _) => {
                let law = &whole?.few.voids;
                sessions::picked(&survey.sessions, law, |session| session.voids.into())
            }
            (Test::PooledShapes, _) => {
                let of_seats = Seat::ALL.map(|seat| tally.shapes(seat));
                let sums = summed(of_seats.iter().map(|counts| &counts[..]));
                whole?.shapes.measure(&sums, deals, false)
            }
            (Test::PooledPoints, _) => {
                let of_seats = Seat::ALL.map(|seat| tally.hcp(seat));
                let sums = summed(of_seats.iter().map(|counts| &counts[..]));
                whole?.points.measure(&sums, deals, true)
            }
            (Test::Overlap | Test::Stayed, Subject::Lag(lag)) => {
                let place = LAGS.iter().position(|other| *other == lag)?;
                overlap(&survey.overlaps, place, planned.test, few)
            }
            (Test::Overlap | Test::Stayed, Subject::SessionBefore) => {
                let few = self.few(survey.session_overlaps.pairs(0));
                overlap(&survey.session_overlaps, 0, planned.test, few)
            }
            (Test::Seeds, _) => Some(counts::seeds(&survey.seeds, expected.possible)),
            (Test::Cross | Test::PointsCross, Subject::Lag(lag)) => {
                let sums = &survey
                    .gram
                    .as_ref()?
                    .lags
                    .iter()
                    .find(|(of, _)| *of == lag)?
                    .1;
                if sums.pairs() == 0 {
                    return None;
                }
                Some(match planned.test {
                    Test::Cross => pairs::cross(sums),
                    _ => pairs::points_cross(sums),
                })
            }
            (Test::Duplicates, _) => {
                let compares = expected.compares(survey.twins.deals());
                let found = || counts::duplicates(&survey.twins, expected.possible, false);
                compares.then(found).flatten()
            }
            (Test::Images, _) => counts::duplicates(&survey.orbits, expected.possible, true),
            (Test::NumberPlace, _) => counts::number_cells(survey.numbers.places(), false),
            (Test::NumberLow, _) => counts::number_cells(survey.numbers.low(), true),
            (Test::NumberDistance, _) => counts::number_distance(&survey.numbers),
            (Test::Spacings, _) => counts::spacings(&survey.numbers),
            (Test::Runs, _) => of_cases?.frequencies.runs(&survey.cases),
            (Test::RunTree, _) => of_cases?.frequencies.tree(&survey.cases),
            (Test::Classes, _) => of_cases?.frequencies.classes(&survey.cases),
            (Test::LargestRun, _) => of_cases?.frequencies.largest(&survey.cases),
            (Test::Coincidences, _) => of_cases?.frequencies.coincidences(&survey.cases),
            (Test::Filling, Subject::Suit(suit)) => {
                drawn::filling(tally, &survey.filling, expected.pool, suit)
            }
            (Test::Interchange, Subject::Seats(seats)) => {
                let sums = self.within().filter(|sums| sums.pairs() > 0)?;
                drawn::interchange(sums, seats)
            }
            _ => None,
        }
    }

    /// A table against its law.
    fn table(&self, cells: &TableLaw, planned: &Planned) -> Option<Measured> {
        if let (Test::ShapeHeterogeneity, Subject::Seat(seat)) = (planned.test, planned.subject) {
            let groups = self.survey.groups().iter();
            let dealt = groups.filter(|group| group.deals() > 0);
            let counts: Vec<_> = dealt.map(|group| group.shapes(seat)).collect();
            let counts: Vec<&[u64]> = counts.iter().map(|counts| &counts[..]).collect();
            return cells.heterogeneity(&counts);
        }
        let counts = self.table_counts(planned)?;
        cells.measure(&counts, |cell| cell_name(planned, cell))
    }

    /// The counts of a test that is a table.
    fn table_counts(&self, planned: &Planned) -> Option<Vec<u64>> {
        let (survey, tally) = (self.survey, &self.tally);
        Some(match (planned.test, planned.subject) {
            (Test::Lengths, Subject::SeatSuit(seat, suit)) => {
                tally.suit_lengths(seat, suit).to_vec()
            }
            (Test::Fits, Subject::SideSuit(side, suit)) => tally.fits(side, suit).to_vec(),
            (Test::BestFits, Subject::Side(side)) => tally.best_fits(side).to_vec(),
            (Test::Patterns, Subject::Seat(seat)) => tally.patterns(seat).to_vec(),
            (Test::Shapes, Subject::Seat(seat)) => tally.shapes(seat).to_vec(),
            (Test::Points, Subject::Seat(seat)) => tally.hcp(seat).to_vec(),
            (Test::SidePoints, Subject::Side(side)) => tally.side_hcp(side).to_vec(),
            (Test::Controls, Subject::Seat(seat)) => survey.spread.controls(seat).to_vec(),
            (Test::Flatness, _) => survey.spread.flatness().to_vec(),
            _ => return None,
        })
    }

    /// log10 of a p-value of a table's counts whose law is exactly uniform; `None` of tests
    /// that are not one table.
    pub(super) fn randomised_log10(
        &self,
        index: usize,
        planned: &Planned,
        uniform: &mut dyn FnMut() -> f64,
    ) -> Option<f64> {
        let cases = &self.survey.cases;
        let drawn = self.expected.drawn.as_ref();
        match planned.test {
            Test::Runs => drawn?.frequencies.randomised_runs(cases, uniform),
            Test::Classes => drawn?.frequencies.randomised_classes(cases, uniform),
            _ => {
                let counts = self.table_counts(planned)?;
                self.tables[index]
                    .as_ref()?
                    .randomised_log10(&counts, uniform)
            }
        }
    }
}

/// A cell of a table, for people.
fn cell_name(planned: &Planned, cell: usize) -> String {
    let subject = planned.subject;
    let of_hand =
        |hand: Option<String>| hand.map_or_else(String::new, |hand| format!("{subject} {hand}"));
    match planned.test {
        Test::Patterns => of_hand(Pattern::all().nth(cell).map(|pattern| pattern.to_string())),
        Test::Shapes => of_hand(Shape::all().nth(cell).map(|shape| shape.to_string())),
        Test::Points | Test::SidePoints => format!("{subject}, {cell} HCP"),
        Test::Controls => format!("{subject}, {cell} controls"),
        Test::Flatness => format!("flatness {}", 2 * cell),
        Test::BestFits => format!("{subject}, {cell} cards in the longest suit"),
        _ => format!("{subject}, {cell} cards"),
    }
}

/// T6 at a lag.
fn overlap(
    overlaps: &Overlaps,
    place: usize,
    test: Test,
    few: Option<&FewDeals>,
) -> Option<Measured> {
    if overlaps.pairs(place) == 0 {
        return None;
    }
    let [table, trace] = pairs::overlap(overlaps, place);
    Some(match (test, few) {
        (Test::Overlap, Some(few)) if table.deals >= test.least() => few.overlap(table),
        (Test::Overlap, _) => table,
        (_, Some(few)) => {
            let stayed = Seat::ALL.map(|seat| overlaps.cards(place, seat, seat));
            few.stayed(stayed.iter().sum(), trace)
        }
        (_, None) => trace,
    })
}

fn summed<'c>(counts: impl Iterator<Item = &'c [u64]>) -> Vec<u64> {
    let mut sums: Vec<u64> = Vec::new();
    for counts in counts {
        sums.resize(counts.len(), 0);
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    sums
}

/// Whether the sums are such as deals have, whoever dealt them.
pub(super) fn identities_hold(survey: &Survey, tally: &Tally) -> bool {
    let cards = Card::all().all(|card| {
        let held = Seat::ALL.map(|seat| tally.card(seat, card));
        held.iter().sum::<u64>() == tally.deals()
    });
    let gram = survey.gram.as_ref().is_none_or(|gram| {
        gram.within
            .identities_hold(&pairs::first_order_sums(&gram.within))
            && gram.lags.iter().all(|(_, sums)| sums.sums_vanish())
    });
    cards && gram && survey.overlaps.identities_hold()
}
