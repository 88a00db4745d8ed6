//! Reading scripts: options, files, parameters and the dialect.

use std::borrow::Cow;

use super::detect::{Marks, comment};
use super::dialect::Dialect;
use super::parameters::{PARAMETERS, substituted};
use super::script::Script;
use super::{ConditionError, IncludeReader, check, error, include, parse, token, wrapper};

/// How a script is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptOptions {
    /// The dialect, whose words alone the script may use; by default that of the comment
    /// `# dialect: NAME`, or the one that has all words of the script.
    pub dialect: Option<Dialect>,
    /// Values of the script parameters `$0` to `$9`.
    pub parameters: [Option<String>; PARAMETERS],
    /// Whether the deals have tables of double-dummy tricks, so that the script may use `tricks`.
    pub has_tables: bool,
}

impl Script {
    /// Parses a script; `name` is the name of its source in messages.
    ///
    /// # Errors
    ///
    /// [`ConditionError`] with the place and the expected syntax.
    ///
    /// ```
    /// use fairdeal_language::{Action, Script};
    ///
    /// let text = "produce 100 action average \"aces\" aces(west)";
    /// let script = Script::parse("example", text)?;
    /// assert_eq!(script.produce, Some(100));
    /// let actions = script.actions.unwrap_or_default();
    /// assert!(matches!(&actions[..], [Action::Average { label, .. }] if label == "aces"));
    /// # Ok::<(), fairdeal_language::ConditionError>(())
    /// ```
    pub fn parse(name: &str, text: &str) -> Result<Self, ConditionError> {
        Self::parse_with(name, text, &ScriptOptions::default())
    }

    /// Parses a script with these options.
    ///
    /// The text of the condition is that of the script with its parameters. If the text alone
    /// would be read in another dialect, a comment at its end names the dialect.
    ///
    /// # Errors
    ///
    /// [`ConditionError`] with the place and the expected syntax, for a word that the requested
    /// dialect does not have, or for a parameter without a value.
    ///
    /// ```
    /// use fairdeal_language::{Dialect, Script, ScriptOptions};
    ///
    /// let mut options = ScriptOptions::default();
    /// options.parameters[0] = Some("west".to_owned());
    /// let script = Script::parse_with("example", "hcp($0) >= 20", &options)?;
    /// assert_eq!(script.condition.to_string(), "condition hcp(west) >= 20");
    ///
    /// options.dialect = Some(Dialect::Dealer);
    /// assert!(Script::parse_with("example", "ltc(west) < 5.5", &options).is_err());
    /// # Ok::<(), fairdeal_language::ConditionError>(())
    /// ```
    pub fn parse_with(
        name: &str,
        text: &str,
        options: &ScriptOptions,
    ) -> Result<Self, ConditionError> {
        let no_files = &mut |_: &str| Err("a text has no files beside it".to_owned());
        Self::parse_with_files(name, text, options, no_files)
    }

    /// As [`Script::parse_with`], and reads the files of lines such as `#include "file"`, which are
    /// comments to dealer. A warning names each such line.
    ///
    /// The text of the condition has the contents of the files. A script in the wrapper of Bridge
    /// Base, `setDealerCode(`, is read without it.
    ///
    /// # Errors
    ///
    /// As [`Script::parse_with`].
    pub fn parse_with_files(
        name: &str,
        text: &str,
        options: &ScriptOptions,
        read: IncludeReader<'_>,
    ) -> Result<Self, ConditionError> {
        let place = error::SourceText { name, text };
        if text.len() > super::MAX_CONDITION_BYTES {
            let message = format!(
                "the condition is {} bytes long, more than 1 MiB",
                text.len()
            );
            return Err(place.error(0..0, message, ""));
        }
        let unwrapped = wrapper::unwrapped(&place)?;
        let whole = include::included(name, &unwrapped, read)?;
        let script = Self::parse_text(name, &whole.text, options);
        let mut script = script.map_err(|error| whole.located(error))?;
        let own = std::mem::take(&mut script.warnings).into_iter();
        let own = own.map(|warning| warning.map(|error| whole.located(error)));
        script.warnings = whole.warnings.iter().cloned().chain(own).collect();
        Ok(script)
    }

    /// Parses the whole text of a script.
    fn parse_text(name: &str, text: &str, options: &ScriptOptions) -> Result<Self, ConditionError> {
        let place = error::SourceText { name, text };
        let substituted = substituted(&place, &options.parameters)?;
        let has_parameters = matches!(substituted, Cow::Owned(_));
        let text = &*substituted;
        let place = error::SourceText { name, text };
        let tokens = token::tokens(&place)?;
        let defined = parse::definitions(&tokens);
        let detect = |requested, has_parameters| {
            let marks = Marks::new(&tokens, &defined, has_parameters);
            marks.detect(&place, requested)
        };
        let detected = detect(options.dialect, has_parameters)?;
        let dialect = detected.dialect;
        let statements = parse::statements(&place, &tokens, &defined, dialect)?;
        let mut script = check::script(&place, statements, detected, options.has_tables)?;
        // The text alone must have the same meaning, wherever it is stored.
        if detect(None, false)?.dialect != dialect {
            let text = &mut script.condition.text;
            text.push_str(&comment(dialect));
            if text.len() > super::MAX_CONDITION_BYTES {
                let message = "the script and its dialect are longer than 1 MiB";
                return Err(place.error(0..0, message, ""));
            }
        }
        Ok(script)
    }
}
