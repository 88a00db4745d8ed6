//! Listing plans: the hands that a condition lists, and the properties of each.

use super::tree::Expression;
use super::{Condition, ConditionError, EvaluationError, FixedProperties, HandCase, Span};
use crate::bridge::Seat;

/// One hand of a listing, and the properties by which it is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedHand {
    /// The seat of the hand.
    pub seat: Seat,
    /// Its patterns are listed: the condition mentions its suit lengths or shape.
    pub by_pattern: bool,
    /// Its honours are listed: the condition mentions them.
    pub by_honours: bool,
}

/// The listing of a condition.
#[derive(Clone, Debug)]
pub enum Plan {
    /// Every deal: no hand is mentioned and the condition always holds.
    Unconstrained,
    /// No deal: no hand is mentioned and the condition never holds.
    Impossible,
    /// One or two hands, the first outermost.
    Listed {
        /// The first hand.
        first: ListedHand,
        /// The second hand, if the condition mentions two.
        second: Option<ListedHand>,
    },
}

/// The reason why a condition cannot be listed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// It mentions three hands or depends on spot cards or draws, or its arithmetic fails.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// It predeals cards, and a listing is one of the whole deck.
    #[error("cards are predealt, and a listing is dealt from the whole deck")]
    Predeal,
    /// `--order` does not name the hands of the condition.
    #[error("the order {asked} does not match the condition, which lists {listed}")]
    Order {
        /// The requested seats.
        asked: String,
        /// The seats that the condition mentions.
        listed: String,
    },
}

impl PlanError {
    /// The error for requested seats that are not the listed ones.
    pub fn order(asked: &[Seat], listed: &[Seat]) -> Self {
        let names = |seats: &[Seat]| match seats {
            [] => "no hand".to_owned(),
            some => some
                .iter()
                .map(|seat| seat.name())
                .collect::<Vec<_>>()
                .join(","),
        };
        Self::Order {
            asked: names(asked),
            listed: names(listed),
        }
    }
}

struct Mention {
    hand: ListedHand,
    span: Span,
}

impl Plan {
    /// Plans the listing of a condition, in the order of its text or in the requested order.
    ///
    /// A hand is listed by pattern when its suit lengths or shape are
    /// mentioned, by honours when its honours are, by both when both are. When
    /// that would list one hand by pattern and the other by honours, the
    /// honours hand is listed by both, so that every weight is a plain product.
    ///
    /// # Errors
    ///
    /// [`PlanError`] if a third hand is mentioned, cards are predealt, or `order`
    /// does not name exactly the hands that are mentioned.
    pub fn new(condition: &Condition, order: Option<&[Seat]>) -> Result<Self, PlanError> {
        let mut mentions: Vec<Mention> = Vec::new();
        let mut unlisted = None;
        condition.expression().measures(&mut |seat, measure, span| {
            if !measure.is_listable() {
                unlisted = unlisted
                    .take()
                    .or(Some((span.clone(), measure.is_random())));
            }
            let place = mentions.iter().position(|m| m.hand.seat == seat);
            let place = place.unwrap_or_else(|| {
                mentions.push(Mention {
                    hand: ListedHand {
                        seat,
                        by_pattern: false,
                        by_honours: false,
                    },
                    span: span.clone(),
                });
                mentions.len() - 1
            });
            let hand = &mut mentions[place].hand;
            hand.by_pattern |= measure.needs_pattern();
            hand.by_honours |= measure.needs_honours();
        });
        if let Some((span, is_random)) = unlisted {
            let message = "this condition has no listing and no exact tables";
            let label = match is_random {
                true => "`rnd` is drawn for each deal, not computed from its cards",
                false => {
                    "it depends on spot cards; a listing has only suit lengths, aces, kings, queens \
                     and jacks"
                }
            };
            return Err(condition.error_at(span, message.to_owned(), label).into());
        }
        if !condition.predeal().is_empty() {
            return Err(PlanError::Predeal);
        }
        if let Some(third) = mentions.get(2) {
            let message = format!("{} would be a third hand", third.hand.seat);
            let label =
                "a listing has two hands at most; `run` and `deal` filter deals by the rest";
            return Err(condition
                .error_at(third.span.clone(), message, label)
                .into());
        }

        let mut hands: Vec<ListedHand> = mentions.iter().map(|mention| mention.hand).collect();
        if let Some(order) = order {
            hands = reordered(&hands, order)?;
        }
        let pattern_only = hands.iter().any(|hand| !hand.by_honours);
        for hand in &mut hands {
            hand.by_pattern |= pattern_only;
        }
        if mentions.is_empty() {
            let nobody = [HandCase::default(); 4];
            let holds = condition.expression().holds(&nobody);
            if !holds.map_err(|error| condition.evaluation_error(&error))? {
                return Ok(Self::Impossible);
            }
        }
        match hands[..] {
            [] => Ok(Self::Unconstrained),
            [first] => Ok(Self::Listed {
                first,
                second: None,
            }),
            [first, second, ..] => Ok(Self::Listed {
                first,
                second: Some(second),
            }),
        }
    }
}

fn reordered(hands: &[ListedHand], order: &[Seat]) -> Result<Vec<ListedHand>, PlanError> {
    let find = |seat: &Seat| hands.iter().find(|hand| hand.seat == *seat).copied();
    let found: Vec<ListedHand> = order.iter().filter_map(find).collect();
    let repeated = order.len() == 2 && order[0] == order[1];
    if found.len() != hands.len() || found.len() != order.len() || repeated {
        let listed: Vec<Seat> = hands.iter().map(|hand| hand.seat).collect();
        return Err(PlanError::order(order, &listed));
    }
    Ok(found)
}

impl Condition {
    /// An arithmetic error, with its place in the text.
    pub fn evaluation_error(&self, error: &EvaluationError) -> ConditionError {
        self.error_at(error.start..error.end, error.to_string(), "here")
    }

    /// The terms joined by the outermost `and`s.
    pub fn conjuncts(&self) -> Vec<Expression> {
        self.expression().conjuncts()
    }

    /// The terms that cases with these properties do not determine: the filter.
    pub fn untold(&self, fixed: &FixedProperties) -> Vec<Expression> {
        let terms = self.conjuncts().into_iter();
        let terms = terms.filter(|term| !fixed.tells_value(term));
        terms.collect()
    }
}

impl From<PlanError> for fairdeal_base::error::Error {
    fn from(error: PlanError) -> Self {
        match error {
            PlanError::Condition(error) => error.into(),
            PlanError::Predeal | PlanError::Order { .. } => Self::usage(error),
        }
    }
}
