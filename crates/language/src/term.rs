//! Terms of a condition's outermost `&&`, which can be evaluated in any order.
//!
//! The language evaluates a term only where every term before it holds. Samplers order terms
//! by the hands that they mention. Both select the same deals if a term whose arithmetic fails
//! counts as false. Both give the same error if each term that may fail is checked once: for a
//! deal for which it fails and all terms before it hold ([`Condition::failures`]).

use super::measure::Measurable;
use super::tree::Expression;
use super::{Condition, EvaluationError};

/// A term that is evaluated independently of the terms before it.
#[derive(Clone, Debug)]
pub struct Term {
    expression: Expression,
    /// Whether the term is satisfied exactly where its arithmetic fails.
    by_failing: bool,
}

impl Term {
    /// Whether these hands satisfy the term. Hands for which its arithmetic fails do not, unless
    /// the term is satisfied by failing.
    pub fn holds(&self, hands: &impl Measurable) -> bool {
        match self.expression.holds(hands) {
            Ok(holds) => holds && !self.by_failing,
            Err(_) => self.by_failing,
        }
    }

    /// The arithmetic error for these hands, if the term is satisfied by failing.
    pub fn failure(&self, hands: &impl Measurable) -> Option<EvaluationError> {
        let value = self.by_failing.then(|| self.expression.value(hands));
        value?.err()
    }

    /// The whole term.
    #[inline]
    pub fn expression(&self) -> &Expression {
        &self.expression
    }
}

impl Condition {
    /// The terms joined by the outermost `&&`, in the order of the text.
    pub fn terms(&self) -> Vec<Term> {
        let term = |expression| Term {
            expression,
            by_failing: false,
        };
        self.conjuncts().into_iter().map(term).collect()
    }

    /// For each term that may fail, the terms before it and the term that it fails. For a deal that
    /// satisfies all of them, the condition has no value.
    pub fn failures(&self) -> Vec<Vec<Term>> {
        let terms = self.terms();
        let may_fail = |(_, term): &(usize, &Term)| term.expression().may_fail();
        let failing = terms.iter().enumerate().filter(may_fail);
        let looked_up = failing.map(|(place, _)| {
            let mut looked_up = terms[..=place].to_vec();
            looked_up[place].by_failing = true;
            looked_up
        });
        looked_up.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looked_up(text: &str) -> Vec<String> {
        let condition = Condition::parse("test", text).unwrap_or_else(|error| panic!("{error}"));
        let failures = condition.failures();
        let last = |terms: &Vec<Term>| terms.last().map(|term| term.expression().to_string());
        failures.iter().filter_map(last).collect()
    }

    #[test]
    fn only_terms_that_may_fail_are_looked_up() {
        for sound in [
            "hcp(north) / 3 > 2 && hcp(north) % 7 == 1",
            "hcp(north) / (1 + hcp(east)) > 1",
            "12 % (14 + -spades(north)) == 0 && imps(score(vul, x3N, hcp(east))) > 1",
            "1 || 1 / 0",
            "0 && 1 / 0 > 1 || hcp(north)",
            "0 ? 1 / 0 : hcp(north)",
            "hcp(north) * 1000000000 * 1000 > 3",
        ] {
            assert_eq!(looked_up(sound), Vec::<String>::new(), "{sound}");
        }
        let failing = "hcp(north) > 3 && hcp(east) / hcp(north) && (1 > 2 || 3 % spades(west)) \
             && hcp(north) * 1000000000 * 2000000000 > 3 && 1 / 0";
        let wanted = [
            "hcp(east) / hcp(north)",
            "1 > 2 || 3 % spades(west)",
            "hcp(north) * 1000000000 * 2000000000 > 3",
            "1 / 0",
        ];
        assert_eq!(looked_up(failing), wanted);
    }
}
