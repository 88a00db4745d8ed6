//! Which part of a condition is made of cells, and which is asked of each deal that is drawn.

use super::{Cells, Unfactored};
use crate::cards::Seat;
use crate::condition::{Condition, Expression, Fixed};

/// A condition in two parts.
#[derive(Debug)]
pub struct Factored {
    /// What deals are drawn from: the whole condition if there is no filter.
    pub cells: Cells,
    /// What else has to hold, in the order of the text.
    pub filter: Vec<Expression>,
    /// Why that is not in the cells; nothing if all of it is.
    pub why: Option<Unfactored>,
}

/// Most of what can be told of hands that is left out, one after the other, until cells can be
/// made of the rest.
const MOST_LEFT_OUT: usize = 3;

/// Makes cells of as much of a condition as can be, and leaves the rest to a filter.
///
/// Where not all of it can be told by cells, or they would be too many, what it implies of
/// fewer things is tried: without one hand's pattern or one hand's honours, then without
/// two, and so on; of as many, the narrowest is taken.
///
/// # Errors
///
/// [`Unfactored`] if the condition mentions no hand, predeals cards, is satisfied by no deal,
/// its arithmetic fails, or no cells can be made of what it implies of any hand.
pub fn divide(condition: &Condition) -> Result<Factored, Unfactored> {
    let drawable = |cells: Cells| cells.can_be_drawn().map(|()| cells);
    let why = match Cells::new(condition).and_then(drawable) {
        Ok(cells) => {
            return Ok(Factored {
                cells,
                filter: Vec::new(),
                why: None,
            });
        }
        Err(why @ (Unfactored::Cards(_) | Unfactored::TooLarge(_))) => why,
        Err(why) => return Err(why),
    };
    let mut told = Vec::new();
    for (seat, measure) in condition.expression().mentioned() {
        if measure.is_listable() {
            let seen = [
                (measure.needs_pattern(), true),
                (measure.needs_honours(), false),
            ];
            told.extend(
                seen.into_iter()
                    .filter(|(seen, _)| *seen)
                    .map(|(_, kind)| (seat, kind)),
            );
        }
    }
    told.sort_unstable();
    told.dedup();
    for left_out in 0..=MOST_LEFT_OUT.min(told.len().saturating_sub(1)) {
        let mut narrowest: Option<(Cells, Fixed)> = None;
        for kept in subsets(&told, told.len() - left_out) {
            let fixed = fixed(&kept);
            let Some(implied) = condition.expression().implied(&fixed) else {
                continue;
            };
            let Ok(implied) = condition.narrowed_to(Some(implied)) else {
                continue;
            };
            match Cells::new(&implied).and_then(drawable) {
                Err(Unfactored::NoDeal) => return Err(Unfactored::NoDeal),
                Ok(cells) => {
                    let chance = |cells: &Cells| cells.chance().0;
                    let best = narrowest.as_ref().map(|(best, _)| chance(best));
                    if best.is_none_or(|best| chance(&cells) < best) {
                        narrowest = Some((cells, fixed));
                    }
                }
                Err(_) => {}
            }
        }
        if let Some((cells, fixed)) = narrowest {
            let filter = condition.conjuncts().into_iter();
            let filter = filter.filter(|term| !fixed.tells_value(term));
            return Ok(Factored {
                cells,
                filter: filter.cloned().collect(),
                why: Some(why),
            });
        }
    }
    Err(why)
}

fn fixed(kept: &[(Seat, bool)]) -> Fixed {
    let mut fixed = Fixed::default();
    for &(seat, is_pattern) in kept {
        let of_kind = match is_pattern {
            true => &mut fixed.patterns,
            false => &mut fixed.honours,
        };
        of_kind[seat.index()] = true;
    }
    fixed
}

/// Every choice of so many, in order.
fn subsets<T: Copy>(all: &[T], count: usize) -> Vec<Vec<T>> {
    let is_chosen = |mask: &u32| mask.count_ones() as usize == count;
    let of_mask = |mask: u32| {
        let places = (0..all.len()).filter(move |place| mask >> place & 1 == 1);
        places.map(|place| all[place]).collect()
    };
    (0..1u32 << all.len())
        .filter(is_chosen)
        .map(of_mask)
        .collect()
}
