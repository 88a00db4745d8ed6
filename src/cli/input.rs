//! INPUT (a scenario, a condition file, a case file, standard input or `--where`), and how its
//! deals are found.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Args};

use fairdeal::Error;
use fairdeal::bridge::Seat;
use fairdeal::formats::Format;
use fairdeal::language::{
    Condition, ConditionWarning, Dialect, MAX_CONDITION_BYTES, Mix, Scenario, Script,
    ScriptOptions, has_parameter,
};
use fairdeal::population::cases::DEFAULT_MAX_CASES;
use fairdeal::population::{CELLS, LISTING, NUMBERS, REJECTION};
use fairdeal::printable::printable;
use fairdeal::sampler::{SamplerMethod, Sampling};
use fairdeal::tasks::{
    ConditionInput, DealFiles, included_file, no_condition, script_text, unnamed_script,
};

use super::values::NameParser;
use super::{failure, values};

/// The condition to deal or list.
#[derive(Args, Clone, Debug, Default)]
#[group(id = "what")]
pub(super) struct InputOptions {
    /// Scenario, condition file (.dl), case file (.cases), or - for standard
    /// input
    ///
    /// `fairdeal scenarios` lists the scenarios. Standard input is a condition.
    #[arg(value_name = "INPUT")]
    input: Option<String>,

    /// Condition in dealer's language, instead of INPUT
    #[arg(
        long = "where",
        value_name = "CONDITION",
        allow_hyphen_values = true,
        conflicts_with = "input",
        help_heading = "Deals"
    )]
    condition: Option<String>,

    #[command(flatten)]
    language: LanguageOptions,

    #[command(flatten)]
    lints: LintOptions,

    /// Whether the deals have tables of double-dummy tricks.
    #[arg(skip)]
    has_tables: bool,
}

/// Deals of files that a script is asked of.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Deals")]
pub(super) struct DealFileOptions {
    /// Take the deals of this file instead of dealing, in their order;
    /// repeatable
    ///
    /// Any format that `audit` reads, plain, compressed or in archives; - is standard input. The
    /// script may ask `tricks(seat, strain)` if every deal has a table of double-dummy tricks, as
    /// in .zrd, in GIB's lists, and in PBN with OptimumResultTable.
    #[arg(long, value_name = "FILE")]
    from: Vec<PathBuf>,

    /// Format of the files of --from [default: detected]
    #[arg(long, value_name = "NAME", requires = "from", hide_possible_values = true,
        value_parser = super::deal::formats(Format::read()))]
    from_format: Option<Format>,
}

/// States that options with these identifiers, separated by spaces, exclude `--from`.
pub(super) fn not_with_files(identifiers: &'static str) -> impl Fn(Arg) -> Arg {
    move |option| match identifiers
        .split_whitespace()
        .any(|id| option.get_id() == id)
    {
        true => option.conflicts_with("from"),
        false => option,
    }
}

/// Rejects the first of these options that is given, with a message about it.
pub(super) fn refuse_given(
    options: &[(&str, bool)],
    message: impl FnOnce(&str) -> String,
) -> Result<(), Error> {
    match options.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(Error::usage(message(option))),
        None => Ok(()),
    }
}

/// The message for an option that is for one population.
pub(super) fn needs_one_type(option: &str) -> String {
    format!("{option} needs one type of the mix: add --type NAME")
}

impl DealFileOptions {
    /// Whether there are files to take deals from.
    pub(super) fn is_given(&self) -> bool {
        !self.from.is_empty()
    }

    /// The files.
    pub(super) fn request(&self) -> DealFiles {
        DealFiles {
            files: self.from.clone(),
            format: self.from_format,
            ..DealFiles::default()
        }
    }

    /// Rejects standard input as both deals and condition, before either is read.
    pub(super) fn refuse_same_source(&self, input: &InputOptions) -> Result<(), Error> {
        let reads_stdin = self.from.iter().any(|file| file.as_os_str() == "-");
        match reads_stdin && input.reads_stdin() {
            true => Err(Error::usage(
                "standard input cannot give both the condition and the deals",
            )),
            false => Ok(()),
        }
    }
}

/// The dialect and the parameters of a script.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct LanguageOptions {
    /// Dialect of the script [default: detected]
    ///
    /// A script may then use the words of this program only.
    #[arg(long, value_name = "NAME", help_heading = "Deals", value_parser = dialects())]
    dialect: Option<Dialect>,

    /// Value of a script parameter, such as 0=west for $0; repeatable
    #[arg(long = "param", value_name = "N=VALUE", help_heading = "Deals",
        value_parser = parameter)]
    parameters: Vec<(usize, String)>,

    /// Use the deals of this type only, of a script with a mix (`#mix:`)
    #[arg(long = "type", value_name = "NAME")]
    deal_type: Option<String>,
}

/// Parser of the names of dialects.
fn dialects() -> NameParser<impl TypedValueParser<Value = Dialect>> {
    values::named(Dialect::ALL.into_iter().map(|dialect| {
        let programs = match dialect {
            Dialect::Dealer => "dealer, also at Bridge Base Online",
            Dialect::DealerV2 => "DealerV2_4",
            Dialect::Dealer3 => "dealer3",
        };
        (dialect, PossibleValue::new(dialect.name()).help(programs))
    }))
}

/// Parses `0=west`.
fn parameter(text: &str) -> Result<(usize, String), String> {
    let (number, value) = text.split_once('=').unwrap_or((text, ""));
    let digit = number.strip_prefix('$').unwrap_or(number);
    match (digit.as_bytes(), text.contains('=')) {
        ([digit @ b'0'..=b'9'], true) => Ok((usize::from(digit - b'0'), value.to_owned())),
        _ => Err(format!(
            "not a parameter: `{text}` (they are 0=VALUE to 9=VALUE)"
        )),
    }
}

impl LanguageOptions {
    /// How scripts are read.
    fn script_options(&self) -> Result<ScriptOptions, Error> {
        let mut options = ScriptOptions {
            dialect: self.dialect,
            ..ScriptOptions::default()
        };
        for (number, value) in &self.parameters {
            let earlier = options.parameters[*number].replace(value.clone());
            if earlier.is_some() {
                let message = format!("--param sets ${number} twice: leave out one value");
                return Err(Error::usage(message));
            }
        }
        Ok(options)
    }

    /// Rejects the value of a parameter that the script does not have.
    fn check_parameters(&self, name: &str, script: &str) -> Result<(), Error> {
        let mut numbers = self.parameters.iter().map(|(number, _)| *number);
        match numbers.find(|number| !has_parameter(script, *number)) {
            Some(number) => Err(Error::usage(format!(
                "{} has no parameter ${number}: leave out --param {number}",
                printable(name)
            ))),
            None => Ok(()),
        }
    }
}

/// Treatment of warnings about a condition.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(super) struct LintOptions {
    /// Treat warnings about the condition as errors
    #[arg(long)]
    pub(super) strict: bool,
}

/// Options of a listing.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Computation")]
pub(super) struct ListingOptions {
    /// Order of the hands in the listing, such as east,west [default: as in the
    /// condition]
    #[arg(long, value_name = "A,B", value_parser = values::order)]
    pub(super) order: Option<Seats>,

    /// Maximum number of cases of a listing
    ///
    /// A case takes 16 bytes on disk.
    #[arg(long, value_name = "N",
        default_value_t = DEFAULT_MAX_CASES, value_parser = values::count)]
    pub(super) max_cases: u64,
}

// An alias, because clap would read `Option<Vec<T>>` as a repeatable option.
type Seats = Vec<Seat>;

/// Options that select the sampler.
#[derive(Args, Clone, Debug)]
pub(super) struct SamplingOptions {
    #[command(flatten)]
    listing: ListingOptions,

    /// How to find deals that satisfy the condition
    #[arg(long, value_name = "NAME", help_heading = "Computation", default_value = "auto",
        value_parser = values::described(SAMPLERS))]
    sampler: SamplerMethod,
}

/// Samplers that can be asked for, with their names and descriptions.
const SAMPLERS: [(SamplerMethod, &str, &str); 5] = [
    (
        SamplerMethod::Auto,
        "auto",
        "The fastest for this number of deals; a filter checks the rest of the condition",
    ),
    (
        SamplerMethod::Listing,
        LISTING,
        "A listing of all cases of the condition, or an error",
    ),
    (
        SamplerMethod::Cells,
        CELLS,
        "Cells by suit for as much of the condition as they can express; a filter checks the rest",
    ),
    (
        SamplerMethod::Numbers,
        NUMBERS,
        "The deals of the condition by number, with any cards, or an error",
    ),
    (
        SamplerMethod::Rejection,
        REJECTION,
        "All deals; a filter checks the whole condition on every deal",
    ),
];

impl SamplingOptions {
    pub(super) fn sampling(&self) -> Sampling {
        self.listing.sampling(self.sampler)
    }
}

impl ListingOptions {
    /// Requires a listing of the whole condition.
    pub(super) fn whole(&self) -> Sampling {
        self.sampling(SamplerMethod::Listing)
    }

    /// Prefers a population with exact laws.
    pub(super) fn exact(&self) -> Sampling {
        self.sampling(SamplerMethod::Exact)
    }

    fn sampling(&self, method: SamplerMethod) -> Sampling {
        Sampling {
            method,
            order: self.order.clone(),
            max_cases: self.max_cases,
        }
    }
}

impl InputOptions {
    /// An INPUT of this name.
    pub(super) fn named(name: &str) -> Self {
        Self {
            input: Some(name.to_owned()),
            ..Self::default()
        }
    }

    /// `--where` with the condition, or otherwise an INPUT.
    pub(super) fn of(condition: Option<&String>, input: Option<&String>) -> Self {
        Self {
            input: input.filter(|_| condition.is_none()).cloned(),
            condition: condition.cloned(),
            ..Self::default()
        }
    }

    /// Whether the input is a built-in scenario, including `unconstrained`.
    pub(super) fn is_scenario(&self) -> bool {
        let name = self.input.as_deref();
        name.is_some_and(|name| Scenario::named(name).is_some())
    }

    /// Sets the options for warnings.
    pub(super) fn with_lints(self, lints: LintOptions) -> Self {
        Self { lints, ..self }
    }

    /// Lets the script ask double-dummy tricks: the deals have tables of them.
    pub(super) fn with_tables(mut self) -> Self {
        self.has_tables = true;
        self
    }

    /// Sets the dialect and the parameters.
    pub(super) fn with_language(self, language: LanguageOptions) -> Self {
        Self { language, ..self }
    }

    /// Whether any input was named.
    pub(super) fn is_given(&self) -> bool {
        self.input.is_some() || self.condition.is_some()
    }

    /// Whether the condition is read from standard input.
    pub(super) fn reads_stdin(&self) -> bool {
        self.input.as_deref() == Some("-")
    }

    /// Finds and reads the input, and prints warnings about its condition. Rejects a script with a
    /// mix, unless `--type` selects one of its types.
    pub(super) fn resolve(&self) -> Result<(String, ConditionInput), Error> {
        let (name, input) = self.resolve_with_mix()?;
        match &input {
            ConditionInput::Script(script) if script.mix.is_some() => Err(Error::usage(format!(
                "{name} is a mix of types: choose one with --type, such as {}",
                type_names(script)
            ))),
            _ => Ok((name, input)),
        }
    }

    /// As [`InputOptions::resolve`], for a command that handles mixes.
    pub(super) fn resolve_with_mix(&self) -> Result<(String, ConditionInput), Error> {
        let (name, input) = self.read()?;
        if let ConditionInput::Script(script) = &input {
            self.lint(script)?;
        }
        match (&self.language.deal_type, input) {
            (None, input) => Ok((name, input)),
            (Some(wanted), ConditionInput::Script(script)) => {
                let script = Box::new(one_type(&script, wanted)?);
                Ok((format!("{name}-{wanted}"), ConditionInput::Script(script)))
            }
            (Some(_), ConditionInput::CaseFile(_)) => Err(no_mix(&name)),
        }
    }

    /// Rejects a script without a condition, and prints warnings, or with `--strict` errors.
    fn lint(&self, script: &Script) -> Result<(), Error> {
        let name = script.condition.name();
        if Scenario::named(name).is_some() {
            return Ok(());
        }
        if script.is_bare() && !script.has_condition() {
            return Err(no_condition(name));
        }
        // Two conditions on a command line are one with a missing `&&`.
        let is_error = |warning: &&ConditionWarning| {
            self.lints.strict || self.condition.is_some() && warning.is_loss()
        };
        let mut errors = Vec::new();
        for warning in &script.warnings {
            match is_error(&warning) {
                true => errors.push(Error::from(warning.clone().into_error())),
                false => failure::warn(warning)?,
            }
        }
        let last = errors.pop();
        errors.iter().for_each(|error| {
            failure::report(error);
        });
        last.map_or(Ok(()), Err)
    }

    /// The condition of `--given`, read as the input is.
    pub(super) fn given(&self, text: &str) -> Result<Condition, Error> {
        let options = self.language.script_options()?;
        let (_, script) = unnamed_script("--given", text, &options)?;
        if script.mix.is_some() {
            return Err(Error::usage("--given is a condition, not a mix of types"));
        }
        self.lint(&script)?;
        Ok(script.condition)
    }

    /// Finds and reads the input.
    pub(super) fn read(&self) -> Result<(String, ConditionInput), Error> {
        let options = ScriptOptions {
            has_tables: self.has_tables,
            ..self.language.script_options()?
        };
        if let Some(text) = &self.condition {
            self.language.check_parameters("--where", text)?;
            let (name, script) = unnamed_script("--where", text, &options)?;
            return Ok((name, ConditionInput::Script(script)));
        }
        let Some(name) = self.input.as_deref() else {
            return Err(Error::usage(
                "no INPUT: name a scenario, a condition file (.dl), a case file (.cases) or - for \
                 standard input, or use --where 'CONDITION'",
            ));
        };
        if name == "-" {
            let text = read_condition(io::stdin().lock(), "standard input")?;
            self.language.check_parameters("standard input", &text)?;
            let (name, script) = unnamed_script("standard input", &text, &options)?;
            return Ok((name, ConditionInput::Script(script)));
        }
        if let Some(scenario) = Scenario::named(name) {
            self.language.check_parameters(name, scenario.text)?;
            let script = Script::parse(name, scenario.text)?;
            return Ok((name.to_owned(), ConditionInput::Script(Box::new(script))));
        }
        let path = Path::new(name);
        let stem = report_name(path);
        if path
            .extension()
            .is_some_and(|extension| extension == "cases")
        {
            self.language.check_parameters(name, "")?;
            return Ok((stem, ConditionInput::CaseFile(path.to_owned())));
        }
        let file = fs::File::open(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => unknown_input(name),
            _ => Error::of(name, error),
        })?;
        let text = read_condition(file, name)?;
        if text.starts_with("FDCASES") {
            self.language.check_parameters(name, "")?;
            return Ok((stem, ConditionInput::CaseFile(path.to_owned())));
        }
        self.language.check_parameters(name, &text)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut beside = |target: &str| included_file(folder, target);
        let script = Script::parse_with_files(name, &text, &options, &mut beside)?;
        Ok((stem, ConditionInput::Script(Box::new(script))))
    }
}

/// The script of an input; a case file has no questions, and lists deals of its own.
pub(super) fn script_of(input: ConditionInput, what: &str) -> Result<Box<Script>, Error> {
    match input {
        ConditionInput::Script(script) => Ok(script),
        ConditionInput::CaseFile(_) => Err(Error::usage(format!(
            "{what} needs a scenario, a script or --where, not a case file"
        ))),
    }
}

/// The script of one type of a mix.
fn one_type(script: &Script, wanted: &str) -> Result<Script, Error> {
    let name = script.condition.name();
    let mix = script.mix.as_ref().ok_or_else(|| no_mix(name))?;
    let place = mix.types().iter().position(|of| of.name == wanted);
    match place {
        Some(place) => Ok(script.of_type(place)?),
        None => Err(Error::usage(format!(
            "{name} has no type `{wanted}`; it has {}",
            type_names(script)
        ))),
    }
}

/// The names of the types of a mix.
fn type_names(script: &Script) -> String {
    let types = script.mix.iter().flat_map(Mix::types);
    let names: Vec<&str> = types.map(|of| of.name.as_str()).collect();
    names.join(", ")
}

fn no_mix(name: &str) -> Error {
    Error::usage(format!(
        "{name} has no mix, so --type does not apply; a mix is a line such as `#mix: game 40%, pass 60%`"
    ))
}

/// Returns the name of a script's report: its file name without the ending of a script or a case
/// file. Anything else after a dot belongs to the name: `Descr.1c` and `Descr.2nt` are two scripts.
fn report_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let endings = [".dl", ".dlr", ".dds", ".dealer", ".txt", ".cases"];
    let stem = endings.iter().find_map(|ending| name.strip_suffix(ending));
    match stem.unwrap_or(&name).trim_start_matches('.') {
        "" => "run".to_owned(),
        stem => stem.to_owned(),
    }
}

/// The error for a name that is neither a scenario nor a file.
fn unknown_input(name: &str) -> Error {
    let hint = match Scenario::nearest(name) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`fairdeal scenarios` lists the scenarios".to_owned(),
    };
    Error::input(format!("no scenario or file `{name}`; {hint}"))
}

fn read_condition(reader: impl Read, name: &str) -> Result<String, Error> {
    let mut bytes = Vec::new();
    let limit = MAX_CONDITION_BYTES as u64 + 1;
    reader
        .take(limit)
        .read_to_end(&mut bytes)
        .map_err(|error| Error::of(name, error))?;
    if bytes.starts_with(b"FDCASES") {
        return Ok("FDCASES".to_owned());
    }
    script_text(bytes, name)
}
