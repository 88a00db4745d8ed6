//! Scripts for other dealers in which `rnd` keeps a part of the deals of each type, so that the types
//! have the shares of the mix.

use super::detect::Marks;
use super::dialect::Dialect;
use super::error::SourceText;
use super::mix::comments;
use super::parse::definitions;
use super::token::tokens;
use super::{ConditionError, ConditionWarning, Script, Span};

/// Number of values of the draw that decides whether a deal is kept.
pub const ROLLS: u64 = 1_000_000;

/// The marks of dealer3 around what is generated.
const BEGIN: &str = "### BEGIN GENERATED LEVELING ###";
const END: &str = "### END GENERATED LEVELING ###";

/// The name that says whether a deal is kept.
const VERDICT: &str = "levelTheDeal";

impl Script {
    /// The script in which a deal of each type is kept with this number of [`ROLLS`], and all other
    /// deals are not; `None` without a mix. The notes become comments.
    ///
    /// The types are tested in their order by `?`, so that overlapping types are those of the mix,
    /// and at most one draw decides. `rnd(N)` of some programs is negative or beyond N: the remainder
    /// of a large draw is uniform to one in 2,000.
    pub fn levelled(&self, notes: &[String], kept: &[u64]) -> Option<String> {
        let (mix, place) = (self.mix.as_ref()?, self.condition_place.clone());
        let (name, text) = (self.condition.name(), self.condition.text());
        let roll = format!("(rnd({ROLLS}) % {ROLLS} + {ROLLS}) % {ROLLS}");
        let of_type = |kept: u64| match kept {
            ROLLS => "1".to_owned(),
            kept => format!("{roll} < {kept}"),
        };
        let verdict = mix
            .types()
            .iter()
            .zip(kept)
            .rfold("0".to_owned(), |rest, (of, kept)| {
                let terms = of.terms.join(" && ");
                format!("(({terms}) ? ({}) :\n  {rest})", of_type(*kept))
            });
        let notes: String = notes.iter().map(|note| format!("# {note}\n")).collect();
        let block = format!("{BEGIN}\n{notes}{VERDICT} = {verdict}\n{END}\n");
        let source = SourceText { name, text };
        let marked = text.find(BEGIN).zip(text.find(END));
        let marked = marked.filter(|(begin, end)| begin < end);
        Some(plain_comments(&match (marked, place) {
            (Some((begin, end)), Some(place)) if text[place.clone()].contains(VERDICT) => {
                let rest = text[end + END.len()..].trim_start_matches(['\r', '\n']);
                format!("{}{block}{rest}", &text[..begin])
            }
            (_, None) => format!("{}\n{block}condition {VERDICT}\n", text.trim_end()),
            (_, Some(place)) => {
                let place = whole_statement(&source, place)?;
                let expression = text[place.clone()].trim_end_matches(';');
                let expression = expression.strip_prefix("condition").unwrap_or(expression);
                let (before, after) = (&text[..place.start], &text[place.end..]);
                format!(
                    "{before}{}\n{block}condition ({}\n) && {VERDICT}\n",
                    after.trim_end(),
                    expression.trim(),
                )
            }
        }))
    }
}

/// The place of the statement of a condition, with its word, brackets and semicolon.
fn whole_statement(source: &SourceText<'_>, mut place: Span) -> Option<Span> {
    let tokens = tokens(source).ok()?;
    let spans: Vec<Span> = tokens.into_iter().map(|(_, span)| span).collect();
    let text = |span: &Span| &source.text[span.clone()];
    loop {
        let before = spans.iter().rfind(|span| span.end <= place.start);
        let after = spans.iter().find(|span| span.start >= place.end);
        match (before, after) {
            (Some(open), Some(close)) if text(open) == "(" && text(close) == ")" => {
                place = open.start..close.end;
            }
            (before, after) => {
                let word = before.filter(|span| text(span) == "condition");
                let end = after.filter(|span| text(span) == ";");
                let start = word.map_or(place.start, |span| span.start);
                return Some(start..end.map_or(place.end, |span| span.end));
            }
        }
    }
}

/// Whether a comment begins its line.
fn begins_line(text: &str, comment: &Span) -> bool {
    let line = text[..comment.start].rsplit('\n').next();
    line.is_some_and(|before| before.trim().is_empty())
}

/// A text without comments behind other text in a line. A mix becomes a comment for fairdeal too.
fn plain_comments(text: &str) -> String {
    let (mut plain, mut done) = (String::with_capacity(text.len()), 0);
    for comment in comments(text) {
        let written = &text[comment.clone()];
        plain.push_str(&text[done..comment.start]);
        done = comment.end;
        match (begins_line(text, &comment), written.strip_prefix("#mix:")) {
            (true, None) => plain.push_str(written),
            (true, Some(mix)) => plain.push_str(&format!("# levelled from mix:{mix}")),
            (false, _) => plain.truncate(plain.trim_end_matches([' ', '\t']).len()),
        }
    }
    plain + &text[done..]
}

/// What the dealer of Bridge Base would refuse in a script: comments that do not begin their lines,
/// and words that it lacks.
pub fn problems_at_bridge_base(script: &Script) -> Vec<ConditionWarning> {
    let (name, text) = (script.condition.name(), script.condition.text());
    let source = SourceText { name, text };
    let behind = comments(text)
        .into_iter()
        .filter(|of| !begins_line(text, of));
    let behind = behind.map(|of| {
        let label = "put it in a line of its own";
        source.error(of, "a comment behind other text", label)
    });
    let tokens = tokens(&source).unwrap_or_default();
    let marks = Marks::new(&tokens, &definitions(&tokens), false);
    let words = marks.refused_by(&source, Dialect::Dealer);
    let mut problems: Vec<ConditionError> = behind.chain(words).collect();
    problems.sort_by_key(ConditionError::start);
    problems.into_iter().map(ConditionWarning::new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "game = hcp(north) >= 15 # enough\npass = 1\n#mix: game, pass\n\
                        condition (spades(south) >= 4) && (hcp(north) > 9); produce 3\n";

    #[test]
    fn a_levelled_script_has_its_condition_at_the_end_and_no_comment_behind_text() {
        let script = Script::parse("test", TEXT).unwrap();
        let text = script
            .levelled(&["a note".to_owned()], &[ROLLS, 1_234])
            .unwrap();
        let expected = "game = hcp(north) >= 15\npass = 1\n# levelled from mix: game, pass\n produce 3\n\
            ### BEGIN GENERATED LEVELING ###\n# a note\nlevelTheDeal = ((game) ? (1) :\n  \
            ((pass) ? ((rnd(1000000) % 1000000 + 1000000) % 1000000 < 1234) :\n  0))\n\
            ### END GENERATED LEVELING ###\n\
            condition ((spades(south) >= 4) && (hcp(north) > 9)\n) && levelTheDeal\n";
        assert_eq!(text, expected);
        let again = Script::parse("test", &text).unwrap();
        assert!(again.mix.is_none() && again.has_draws());
        assert!(problems_at_bridge_base(&again).is_empty());
    }

    #[test]
    fn a_mix_without_a_condition_gets_one() {
        let script = Script::parse("test", "game = hcp(north) >= 15\n#mix: game\n").unwrap();
        let text = script.levelled(&[], &[ROLLS]).unwrap();
        let end = "levelTheDeal = ((game) ? (1) :\n  0)\n### END GENERATED LEVELING ###\n\
            condition levelTheDeal\n";
        assert!(text.ends_with(end), "{text}");
    }

    #[test]
    fn bridge_base_lacks_comments_behind_text_and_words_of_successors() {
        let problems = |text: &str| {
            let script = Script::parse("test", text).unwrap();
            let problems = problems_at_bridge_base(&script);
            problems
                .iter()
                .map(ConditionWarning::line)
                .collect::<Vec<_>>()
        };
        assert_eq!(problems("# plain\nhcp(north) > 3\n"), [] as [usize; 0]);
        assert_eq!(problems("hcp(north) > 3 // strong\n"), [1]);
        let successors = "a = ltc(north) < 600\ntitle \"T\" // told\na && hcp(north) > 4.5\n";
        assert_eq!(problems(successors), [1, 2, 2, 3]);
        assert_eq!(problems("par = hcp(north)\npar > 3\n"), [] as [usize; 0]);
    }
}
