//! Every test of the plan, from what was counted.

use super::cells::Measured;
use super::counts;
use super::drawn;
use super::expected::Expected;
use super::few::FewDeals;
use super::plan::{Planned, Subject, Test};
use super::second_order as pairs;
use super::{FIRST_LOOK, sessions};
use crate::cards::{Card, Pattern, Seat, Shape};
use crate::tally::{LAGS, Overlaps, SecondOrder, Survey, Tally};

/// What all tests of a look share.
pub(super) struct Look<'s> {
    pub(super) survey: &'s Survey,
    pub(super) tally: Tally,
    pub(super) expected: &'s Expected,
    pub(super) tables: &'s [Option<super::cells::Cells>],
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
                compares.then(|| counts::duplicates(&survey.twins, expected.possible, false))
            }
            (Test::Images, _) => Some(counts::duplicates(&survey.orbits, expected.possible, true)),
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
    fn table(&self, cells: &super::cells::Cells, planned: &Planned) -> Option<Measured> {
        let (survey, tally) = (self.survey, &self.tally);
        let subject = planned.subject;
        let numbered = |what: &'static str| move |cell: usize| format!("{subject}, {cell} {what}");
        match (planned.test, subject) {
            (Test::Lengths, Subject::SeatSuit(seat, suit)) => {
                cells.measure(&tally.suit_lengths(seat, suit), numbered("cards"))
            }
            (Test::Fits, Subject::SideSuit(side, suit)) => {
                cells.measure(&tally.fits(side, suit), numbered("cards"))
            }
            (Test::BestFits, Subject::Side(side)) => {
                cells.measure(tally.best_fits(side), numbered("cards in the longest suit"))
            }
            (Test::Patterns, Subject::Seat(seat)) => {
                let name = |cell| match Pattern::all().nth(cell) {
                    Some(pattern) => format!("{subject} {pattern}"),
                    None => String::new(),
                };
                cells.measure(tally.patterns(seat), name)
            }
            (Test::Shapes, Subject::Seat(seat)) => {
                cells.measure(&tally.shapes(seat), |cell| match Shape::all().nth(cell) {
                    Some(shape) => format!("{subject} {shape}"),
                    None => String::new(),
                })
            }
            (Test::ShapeHeterogeneity, Subject::Seat(seat)) => {
                let groups = survey.groups().iter().filter(|group| group.deals() > 0);
                let counts: Vec<_> = groups.map(|group| group.shapes(seat)).collect();
                cells.heterogeneity(&counts.iter().map(|counts| &counts[..]).collect::<Vec<_>>())
            }
            (Test::Points, Subject::Seat(seat)) => cells.measure(tally.hcp(seat), numbered("HCP")),
            (Test::SidePoints, Subject::Side(side)) => {
                cells.measure(&tally.side_hcp(side), numbered("HCP"))
            }
            (Test::Controls, Subject::Seat(seat)) => {
                cells.measure(&survey.spread.controls(seat), numbered("controls"))
            }
            (Test::Flatness, _) => cells.measure(survey.spread.flatness(), |half| {
                format!("flatness {}", 2 * half)
            }),
            _ => None,
        }
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
