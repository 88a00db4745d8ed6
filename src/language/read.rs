//! Parsing on a thread with its own stack.

use super::script::Script;
use super::{ConditionError, check, error, parse, token};

/// How a script is read.
#[derive(Clone, Debug, Default)]
pub struct ScriptOptions {
    /// Whether the deals have tables of double-dummy tricks, so that the script may use `tricks`.
    pub has_tables: bool,
}

/// Size of the parser's stack, enough for syntax as deep as the limit on tokens permits.
const STACK_BYTES: usize = 64 << 20;

impl Script {
    /// Parses a script; `name` is the name of its source in messages.
    ///
    /// # Errors
    ///
    /// [`ConditionError`] with the place and the expected syntax.
    ///
    /// ```
    /// use fairdeal::language::{Action, Script};
    ///
    /// let text = "produce 100 action average \"aces\" aces(west)";
    /// let script = Script::parse("example", text)?;
    /// assert_eq!(script.produce, Some(100));
    /// let actions = script.actions.unwrap_or_default();
    /// assert!(matches!(&actions[..], [Action::Average { label, .. }] if label == "aces"));
    /// # Ok::<(), fairdeal::language::ConditionError>(())
    /// ```
    pub fn parse(name: &str, text: &str) -> Result<Self, ConditionError> {
        Self::parse_with(name, text, &ScriptOptions::default())
    }

    /// Parses a script with these options.
    ///
    /// # Errors
    ///
    /// As [`Script::parse`].
    pub fn parse_with(
        name: &str,
        text: &str,
        options: &ScriptOptions,
    ) -> Result<Self, ConditionError> {
        let place = error::SourceText { name, text };
        if text.len() > super::MAX_CONDITION_BYTES {
            let message = format!(
                "the condition is {} bytes long, more than 1 MiB",
                text.len()
            );
            return Err(place.error(0..0, message, ""));
        }
        // The caller's stack may be small, such as that of a thread pool or of `ulimit -s 256`.
        std::thread::scope(|scope| {
            let parser = std::thread::Builder::new()
                .name("parser".to_owned())
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, || Self::parse_here(&place, options));
            match parser.map(std::thread::ScopedJoinHandle::join) {
                Ok(Ok(parsed)) => parsed,
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                Err(error) => {
                    let message = format!("cannot start the parser thread: {error}");
                    let label = "its stack needs 64 MiB of memory";
                    Err(place.error(0..0, message, label))
                }
            }
        })
    }

    /// Parses a script on this thread, whose stack must be large enough.
    fn parse_here(
        place: &error::SourceText<'_>,
        options: &ScriptOptions,
    ) -> Result<Self, ConditionError> {
        let tokens = token::tokens(place)?;
        let statements = parse::statements(place, &tokens)?;
        check::script(place, statements, options.has_tables)
    }
}
