//! Detects the dialect of a script by the words and the notation that only one program has.

use std::collections::BTreeSet;

use super::dialect::{Dialect, Role, group_of};
use super::error::SourceText;
use super::score::Contract;
use super::token::Token;
use super::{ConditionError, ConditionWarning, Span};
use fairdeal_base::error::Remedy;

/// The beginning of a comment that names the dialect of a script: `# dialect: dealer3`.
const COMMENT: &str = "# dialect: ";

/// A part of a script that not every dialect has.
struct DialectMark {
    /// The programs that have it.
    programs: &'static [Dialect],
    span: Span,
    /// The part, for messages.
    what: String,
}

impl DialectMark {
    fn is_of(&self, dialect: Dialect) -> bool {
        self.programs.contains(&dialect)
    }

    fn error(&self, source: &SourceText<'_>, dialect: Dialect, label: String) -> ConditionError {
        let message = format!("{dialect} has no {}", self.what);
        source.error(self.span.clone(), message, label)
    }
}

/// The dialect of a script, and warnings about it.
pub(super) struct Detected {
    pub(super) dialect: Dialect,
    pub(super) warning: Option<ConditionWarning>,
}

/// The dialect that a comment names; the last such comment counts.
pub(super) fn named_in_comment(text: &str) -> Option<Dialect> {
    let mut named = text.lines().filter_map(|line| line.strip_prefix(COMMENT));
    named
        .next_back()
        .and_then(|name| Dialect::from_name(name.trim()))
}

/// The comment that names a dialect, as a last line.
pub(super) fn comment(dialect: Dialect) -> String {
    format!("\n{COMMENT}{}\n", dialect.name())
}

/// All marks of a script, in the order of its text.
pub(super) struct Marks(Vec<DialectMark>);

const V2: &[Dialect] = &[Dialect::DealerV2];
const THREE: &[Dialect] = &[Dialect::Dealer3];

impl Marks {
    /// The marks of a script, which may also have had parameters.
    pub(super) fn new<'a>(
        tokens: &[(Token<'a>, Span)],
        defined: &BTreeSet<&'a str>,
        has_parameters: bool,
    ) -> Self {
        let parameters = has_parameters.then(|| DialectMark {
            programs: V2,
            span: 0..0,
            what: "script parameters".to_owned(),
        });
        let mut marks: Vec<DialectMark> = parameters.into_iter().collect();
        let mut depth = 0_usize;
        let at = |place: usize| tokens.get(place).map(|(token, _)| *token);
        for (place, (token, span)) in tokens.iter().enumerate() {
            let neighbours = [place.checked_sub(1).and_then(at), at(place + 1)];
            let found = match token {
                Token::Number(text) if text.contains('.') => Some((V2, "decimals".to_owned())),
                Token::Distribution(_) => Some((V2, "`shape{}`".to_owned())),
                Token::Semicolon => Some((THREE, "`;`".to_owned())),
                Token::Word(word) if !defined.contains(word) => {
                    programs_of(word, neighbours, depth).map(|all| (all, format!("`{word}`")))
                }
                _ => None,
            };
            match token {
                Token::Open => depth += 1,
                Token::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            let span = span.clone();
            marks.extend(found.map(|(programs, what)| DialectMark {
                programs,
                span,
                what,
            }));
        }
        Self(marks)
    }

    /// Detects the dialect, or checks that the script has no words but those of the requested one.
    ///
    /// # Errors
    ///
    /// If a word is not in the requested dialect.
    pub(super) fn detect(
        &self,
        source: &SourceText<'_>,
        requested: Option<Dialect>,
    ) -> Result<Detected, ConditionError> {
        let marks = &self.0;
        let settled = requested.or_else(|| named_in_comment(source.text));
        let is_read_by = |dialect: &Dialect| marks.iter().all(|mark| mark.is_of(*dialect));
        let dialect = settled.or_else(|| Dialect::ALL.into_iter().find(is_read_by));
        let dialect = dialect.unwrap_or_else(|| marks[0].programs[0]);
        let Some(mark) = self.missing(dialect).next() else {
            let warning = None;
            return Ok(Detected { dialect, warning });
        };
        let other = mark.programs[0];
        if requested.is_some() {
            let error = mark.error(source, dialect, format!("{other} has it"));
            return Err(error.with_remedy(Remedy::UseDialect(other.name())));
        }
        let label = format!("{other} has it; operators are read as {dialect} reads them");
        let error = mark.error(source, dialect, label);
        let error = error.with_remedy(Remedy::ChooseDialect);
        let warning = Some(ConditionWarning::new(error));
        Ok(Detected { dialect, warning })
    }

    /// The marks that a dialect lacks.
    fn missing(&self, dialect: Dialect) -> impl Iterator<Item = &DialectMark> {
        self.0.iter().filter(move |mark| !mark.is_of(dialect))
    }

    /// An error for each mark that a dialect lacks.
    pub(super) fn refused_by(
        &self,
        source: &SourceText<'_>,
        dialect: Dialect,
    ) -> impl Iterator<Item = ConditionError> {
        self.missing(dialect)
            .map(move |mark| mark.error(source, dialect, format!("{} has it", mark.programs[0])))
    }
}

/// The programs that have a word between these neighbours; `None` if all have it.
fn programs_of(
    word: &str,
    [before, after]: [Option<Token<'_>>; 2],
    depth: usize,
) -> Option<&'static [Dialect]> {
    if is_seat_letter(word) {
        let is_seat = match before {
            Some(Token::Open) => matches!(after, Some(Token::Close | Token::Comma)),
            Some(Token::Word("dealer" | "predeal")) => true,
            _ => false,
        };
        return is_seat.then_some(THREE);
    }
    if Contract::parse(word).is_some_and(|contract| contract.is_doubled() || word.starts_with('z'))
    {
        return Some(V2);
    }
    let group = group_of(word)?;
    let is_listed = matches!(before, Some(Token::Comma | Token::Word("action")));
    if group.role == Role::Action && depth == 0 && !is_listed {
        return Some(THREE);
    }
    (group.programs.len() < Dialect::ALL.len()).then_some(group.programs)
}

/// Whether dealer3 reads the letter as a seat.
pub(super) fn is_seat_letter(word: &str) -> bool {
    matches!(word, "n" | "e" | "s" | "w" | "N" | "E" | "S" | "W")
}
