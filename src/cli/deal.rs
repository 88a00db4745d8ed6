//! `fairdeal deal`

mod conversion;
mod filter_command;
mod levelled;
mod sets;

use std::io::{self, BufWriter, IsTerminal};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::{PossibleValue, TypedValueParser};

use fairdeal::bridge::{Seat, Vulnerable};
use fairdeal::defect::Defect;
use fairdeal::draw::{Isa, Shares};
use fairdeal::formats::{
    ActionAnswer, BoardRecord, DealerPrinter, Effort, Format, PrintError, Writer,
};
use fairdeal::language::{Action, Script};
use fairdeal::printable::{printable, thousands};
use fairdeal::report::PROGRAM;
use fairdeal::run::{AnswerCounter, DealCount, MOST_TRIES, SearchEvent};
use fairdeal::tally::{Answer, ScriptQuestions};
use fairdeal::tasks::ConditionInput;
use fairdeal::tasks::boards::{
    BoardFiles, BoardLabels, BoardNumber, BoardRequest, DealtBoard, SearchEnd, Set, SetBoards,
};
use fairdeal::tasks::run::Explanation;

pub(super) use self::conversion::FileConversion;
use self::filter_command::FilterOptions;
use self::sets::{SetOptions, refuse_unless_carried};
use super::board_output::BoardOutput;
use super::input::{
    DealFileOptions, InputOptions, SamplingOptions, needs_one_type, not_with_files, refuse_given,
};
use super::output::{self, Progress};
use super::run::explanation;
use super::terminal::Terminal;
use super::values::NameParser;
use super::words::{self, WordsOptions};
use super::{cache, failure, json, log, values};
use fairdeal::Error;
use fairdeal::utc::UtcTime;

/// Maximum time before a found board is printed.
const PATIENCE: Duration = Duration::from_millis(200);

const EXAMPLES: &str = "\
Examples:
  fairdeal deal flannery-misfit -n 36 --format pbn > boards.pbn
  fairdeal deal --where 'hcp(north) >= 20 && hearts(south) >= 5' --format lin
  fairdeal deal unconstrained -n 24 --format pbn,lin,dup,html -o tonight
  fairdeal deal script.dl --dealer-output --seed 1
  fairdeal deal unconstrained -n 8 --format pbn --board 9 --event 'Club night'

Exit codes: 0 done; 5 gave up before all deals were found; 64 wrong usage;
65 bad input; 74 reading or writing failed.";

/// The options of deals that are drawn: deals of files are none of these.
pub(super) const DEALING: &str =
    "defect dealer_output explain shares max_tries sampler order max_cases filter_command";

/// Print deals in random order
///
/// The same condition, sampler, seed and generator give the same deals; a smaller -n gives the
/// first of them. The sampler depends on -n unless --sampler is given. With --dealer-output, runs
/// the script's actions as dealer does.
///
/// If deals have to be searched for (see --explain), deal gives up after --max-tries deals in a
/// row without one that satisfies the condition, or at the script's `generate`. It then prints a
/// 99.9 % confidence bound on their frequency and exits with code 5.
///
/// With --from, writes the boards of files that satisfy the condition, as `convert` does: they keep
/// number, dealer, vulnerability and what else the files say, unless the options or the script set
/// it. A warning for each kind says what the format does not store.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, mut_args(not_with_files(DEALING)))]
pub(super) struct DealArguments {
    #[command(flatten)]
    input: InputOptions,

    /// Number of deals, such as 36, 1M or 1e6
    ///
    /// The default is the script's `produce`, or 10; with --from, all.
    #[arg(
        short = 'n',
        visible_short_alias = 'p',
        long,
        value_name = "N",
        help_heading = "Deals"
    )]
    deals: Option<DealCount>,

    #[command(flatten)]
    output: BoardOutput,

    /// Print a JSON object per board (same as --format json)
    #[arg(long, help_heading = "Output", conflicts_with_all = ["format", "dealer_output"])]
    json: bool,

    /// Print what dealer prints for the script's actions
    #[arg(long, help_heading = "Output", conflicts_with_all = ["format", "out"])]
    dealer_output: bool,

    /// Print nothing but deals and errors (and a generated seed, to stderr)
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,

    /// Solve each board double-dummy, on all cores
    ///
    /// For formats with tricks: pbn, html and zrd. A script that asks tricks needs no --solve.
    /// Deals of --from are solved if their file has no tricks.
    #[arg(long, help_heading = "Boards", conflicts_with_all = ["dealer_output", "defect"])]
    solve: bool,

    /// Plant a known defect; `--defect help` lists them
    ///
    /// Another program's tests should detect it.
    #[arg(long, value_name = "NAME", help_heading = "Deals", hide_possible_values = true,
        conflicts_with_all = ["rng", "dealer_output"], value_parser = words::defect())]
    defect: Option<&'static Defect>,

    #[command(flatten)]
    files: DealFileOptions,

    #[command(flatten)]
    words: WordsOptions,

    #[command(flatten)]
    labels: Labels,

    #[command(flatten)]
    sets: SetOptions,

    #[command(flatten)]
    filter: FilterOptions,

    /// Numbers of boards of each type in a script with a mix [default: exact]
    #[arg(long, value_name = "HOW", help_heading = "Boards",
        value_parser = shares())]
    shares: Option<Shares>,

    /// Give up after this many deals in a row without one that satisfies the
    /// condition [default: 1000000000, fewer for slow conditions]
    #[arg(long, value_name = "N", help_heading = "Computation", conflicts_with = "dealer_output",
        value_parser = values::count)]
    max_tries: Option<u64>,

    /// Bring each type of a mix before any type again, and spread rare types over the set
    #[arg(long, help_heading = "Boards", conflicts_with_all = ["shares", "dealer_output"])]
    interleave: bool,

    /// Write the mix as a script for other dealers, and deal none
    ///
    /// It keeps deals of each type by `rnd`, so that the types have their shares, and says how far
    /// these are off. The script is plain for Bridge Base.
    #[arg(long, value_name = "FILE", help_heading = "Other dealers", group = "written",
        conflicts_with_all = ["format", "dealer_output"])]
    write_levelled: Option<PathBuf>,

    /// List what another dealer would refuse in the script, and deal none
    #[arg(long, value_name = "DEALER", help_heading = "Other dealers",
        value_parser = other_dealers(), conflicts_with_all = ["format", "out", "dealer_output"])]
    check: Option<OtherDealer>,

    /// Explain how deals would be found, and deal none
    ///
    /// Prints the sampler, the listing or the cells, the filter and its acceptance rate.
    #[arg(long, help_heading = "Computation")]
    explain: bool,

    #[command(flatten)]
    options: SamplingOptions,
}

/// A dealer that may refuse a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OtherDealer {
    BridgeBase,
}

/// Parser of `--check`.
fn other_dealers() -> NameParser<impl TypedValueParser<Value = OtherDealer>> {
    values::described([(OtherDealer::BridgeBase, "bbo", "Bridge Base Online")])
}

/// Parser of `--shares`.
fn shares() -> NameParser<impl TypedValueParser<Value = Shares>> {
    let exact = "The shares of the mix, to the nearest board, in random order";
    let random = "By chance: each board has a type with the probability of its share";
    values::described([
        (Shares::Exact, "exact", exact),
        (Shares::Random, "random", random),
    ])
}

/// The labels of a board.
#[derive(Args, Debug)]
#[command(next_help_heading = "Boards")]
struct Labels {
    /// Dealer of every board [default: of the file, or by board number]
    ///
    /// For formats with dealers: pbn, lin, html, rbn, csv, json and --dealer-output.
    #[arg(long, value_name = "SEAT", value_parser = values::seat)]
    dealer: Option<Seat>,

    /// Vulnerability: none, ns, ew or all [default: of the file, or by board
    /// number]
    ///
    /// For formats with vulnerabilities: pbn, lin, html, rbn, csv, json and
    /// --dealer-output.
    #[arg(long = "vul", alias = "vulnerable", value_name = "SIDES",
        value_parser = values::vulnerable)]
    vulnerable: Option<Vulnerable>,

    /// Name of the event
    ///
    /// For formats with events: pbn, html, rbn, json and --dealer-output.
    #[arg(long, value_name = "NAME", value_parser = values::line)]
    event: Option<String>,

    /// Number of the first board [default: that of the file, or 1]
    ///
    /// For formats with board numbers: pbn, lin, html, rbn, csv, all, json and --dealer-output.
    #[arg(long, value_name = "N")]
    board: Option<BoardNumber>,
}

impl Labels {
    /// Rejects labels that a format cannot express.
    fn check(&self, formats: &[Format]) -> Result<(), Error> {
        refuse_unless_carried(
            formats,
            &[
                ("--dealer", self.dealer.is_some(), |carries| carries.dealer),
                ("--vul", self.vulnerable.is_some(), |carries| carries.dealer),
                ("--event", self.event.is_some(), |carries| carries.event),
                ("--board", self.board.is_some(), |carries| carries.number),
            ],
        )
    }

    /// The labels of all boards.
    fn of_boards(&self) -> BoardLabels {
        BoardLabels {
            dealer: self.dealer,
            vulnerable: self.vulnerable,
            first: self.board,
        }
    }
}

/// Parser of the names of formats.
pub(super) fn formats(
    all: impl Iterator<Item = Format>,
) -> NameParser<impl TypedValueParser<Value = Format>> {
    values::named(all.map(|format| {
        let value = PossibleValue::new(format.name()).help(format.description());
        let value = value.aliases(format.names()[1..].iter().copied());
        (format, value)
    }))
}

pub(super) fn execute(arguments: &DealArguments) -> Result<u8, Error> {
    let formats = arguments.formats()?;
    if !arguments.dealer_output {
        arguments.labels.check(&formats)?;
        arguments.sets.check(&formats)?;
        arguments.check_tricks(&formats)?;
    }
    if arguments.files.is_given() {
        return conversion::execute(arguments, &formats);
    }
    arguments.words.refuse_same_source(&arguments.input)?;
    let (name, input) = arguments.input.clone().with_tables().resolve_with_mix()?;
    if arguments.check.is_some() || arguments.write_levelled.is_some() {
        return levelled::execute(arguments, input);
    }
    let request = arguments.request();
    arguments.check_input(&request, &name, &input)?;
    let (listings, terminal) = (cache::listings()?, Terminal::new(arguments.quiet));
    let set = Set::new(request, input, &listings, &terminal)?;
    if arguments.explain {
        let found = Explanation::of(set.prepared(), set.words())?;
        let out = &mut io::stdout().lock();
        match arguments.json {
            true => json::document(out, &found)?,
            false => explanation::print(out, &found)?,
        }
        return Ok(0);
    }
    let clock = Instant::now();
    let mut boards = set.boards(&terminal)?;
    if set.words().is_fresh {
        // On standard error: standard output is for programs to read.
        log::tell(format!("seed {}", set.words().seed))?;
    }
    match arguments.dealer_output {
        true => {
            as_dealer(arguments, &set, &mut boards, &name, clock)?;
            Ok(0)
        }
        false => {
            write(arguments, &formats, &set, &mut boards)?;
            arguments.filter.tell(&boards.filter_counts())?;
            Ok(boards.end().map_or(0, told))
        }
    }
}

impl DealArguments {
    /// The request of the set.
    fn request(&self) -> BoardRequest {
        BoardRequest {
            boards: self.deals,
            max_tries: self.max_tries,
            filter: self.filter.request(),
            no_repeats: self.sets.no_repeats,
            rotation: self.sets.rotate,
            has_comments: self.sets.comment,
            has_actions: self.dealer_output,
            solve: self.solve,
            defect: self.defect,
            shares: match self.interleave {
                true => Shares::Interleaved,
                false => self.shares.unwrap_or(Shares::Exact),
            },
            labels: self.labels.of_boards(),
            random: self.words.request(),
            sampling: self.options.sampling(),
        }
    }

    /// Rejects options that the input does not support.
    fn check_input(
        &self,
        request: &BoardRequest,
        name: &str,
        input: &ConditionInput,
    ) -> Result<(), Error> {
        let script = match input {
            ConditionInput::Script(script) => Some(script),
            ConditionInput::CaseFile(_) => None,
        };
        if script.is_some_and(|script| script.mix.is_some()) {
            let options = [
                ("--dealer-output", self.dealer_output),
                ("--defect", self.defect.is_some()),
                ("--explain", self.explain),
            ];
            return refuse_given(&options, needs_one_type);
        }
        let for_mix = [
            ("--shares", self.shares.is_some()),
            ("--interleave", self.interleave),
        ];
        refuse_given(&for_mix, |option| {
            format!("{option} is for a mix, and {name} has none")
        })?;
        let Some(script) = script else {
            return Ok(());
        };
        self.note_left_out(script)?;
        match self.defect.is_some() && request.asked_tricks(script).is_some() {
            true => Err(Error::usage(
                "--defect is not supported for scripts that ask double-dummy tricks",
            )),
            false => Ok(()),
        }
    }

    /// Says where to find what the script would print besides its boards.
    fn note_left_out(&self, script: &Script) -> Result<(), Error> {
        if self.quiet || self.explain || self.dealer_output {
            return Ok(());
        }
        let is_left_out = |action: &Action| match action {
            Action::PrintEs(_) => !self.sets.comment,
            Action::PrintReport(_) | Action::CsvReport(_) => true,
            Action::Average { .. } | Action::Frequency { .. } => true,
            _ => false,
        };
        if script.actions.iter().flatten().any(is_left_out) {
            log::note(
                "deal prints boards; --dealer-output also prints the script's averages, \
                 frequencies and texts",
            )?;
        }
        Ok(())
    }

    /// Rejects a format that stores tricks without boards that have them, and the reverse.
    fn check_tricks(&self, formats: &[Format]) -> Result<(), Error> {
        if formats.contains(&Format::Zrd) && !self.solve && !self.files.is_given() {
            return Err(Error::usage(
                "the format zrd stores double-dummy tricks: add --solve",
            ));
        }
        refuse_unless_carried(
            formats,
            &[("--solve", self.solve, |carries| carries.tricks)],
        )
    }

    /// The formats, at least one.
    fn formats(&self) -> Result<Vec<Format>, Error> {
        if self.json {
            return Ok(vec![Format::Json]);
        }
        let named = self.output.formats()?;
        Ok(match named.is_empty() {
            true => vec![Format::Line],
            false => named,
        })
    }

    /// Opens files of boards.
    ///
    /// The name of the program is without the seed: with it, anyone could deal the boards that are
    /// still to be played.
    fn files(&self, formats: &[Format], wanted: u64) -> Result<BoardFiles, Error> {
        let made_by = match self.defect {
            None => PROGRAM,
            Some(_) => "fairdeal, with a defect",
        };
        self.output.open(formats, &|out, format| {
            let file = Writer::new(out, format, wanted, made_by)?;
            let file = file.with_labels(self.set_labels());
            Ok(file.with_layout(self.sets.layout()))
        })
    }

    fn set_labels(&self) -> BoardRecord {
        self.sets.labels(self.labels.event.as_ref())
    }
}

/// Writes boards in some formats.
fn write(
    arguments: &DealArguments,
    formats: &[Format],
    set: &Set,
    boards: &mut SetBoards<'_>,
) -> Result<(), Error> {
    let mut search = BoardSearch::new(arguments, formats, set)?;
    for event in boards {
        match event? {
            SearchEvent::Next(found) => search.write(&found)?,
            SearchEvent::Misses(misses) => search.miss(misses)?,
        }
    }
    search.finish()
}

/// Prints why a search found too few deals, and returns the exit code.
fn told(end: &SearchEnd) -> u8 {
    let message = &end.message;
    log::error(match end.gave_up {
        true => format!("{message}; raise --max-tries to search longer"),
        false => message.clone(),
    });
    failure::GAVE_UP
}

/// Prints boards as they are found, with a progress bar for the search.
struct BoardSearch {
    files: BoardFiles,
    found: u64,
    wanted: u64,
    bar: Progress,
    /// Whether every deal drawn satisfies the condition.
    is_exact: bool,
    /// Whether boards and the bar share a terminal.
    shares_terminal: bool,
    printed: Instant,
}

impl BoardSearch {
    fn new(arguments: &DealArguments, formats: &[Format], set: &Set) -> Result<Self, Error> {
        let (wanted, is_exact) = (set.wanted(), set.is_exact());
        let files = arguments.files(formats, wanted)?;
        let shares_terminal = arguments.output.is_printed() && io::stdout().is_terminal();
        // Deals without a search need no bar: they are printed as fast as the terminal shows them.
        let is_quiet = arguments.quiet || arguments.defect.is_some() || is_exact && shares_terminal;
        let bar = match is_exact {
            true => output::progress("deals", wanted, is_quiet),
            false => output::progress("tried", arguments.max_tries.unwrap_or(MOST_TRIES), is_quiet),
        };
        let search = Self {
            files,
            found: 0,
            wanted,
            bar,
            is_exact,
            shares_terminal,
            printed: Instant::now(),
        };
        if !is_exact {
            search.tell();
        }
        Ok(search)
    }

    fn tell(&self) {
        let (found, wanted) = (thousands(self.found), thousands(self.wanted));
        self.bar.say(format!("{found} of {wanted} deals found"));
    }

    fn flush(&mut self) -> io::Result<()> {
        self.printed = Instant::now();
        let files = &mut self.files;
        match self.shares_terminal {
            true => self.bar.suspend(|| files.flush()),
            false => files.flush(),
        }
    }

    /// Prints a board, at once if boards are rare.
    fn write(&mut self, found: &DealtBoard) -> Result<(), Error> {
        self.files
            .write_with(&found.board, &found.comment, &found.label)?;
        self.found += 1;
        // A look at the clock takes as long as a board that needs neither search nor solver.
        let is_quick = self.is_exact && found.board.tricks.is_none();
        let is_look = !is_quick || self.found.is_multiple_of(64);
        if is_look && self.printed.elapsed() >= PATIENCE {
            self.flush()?;
            match self.is_exact {
                true => self.bar.set_position(self.found),
                false => self.tell(),
            }
        }
        Ok(())
    }

    /// Shows the number of deals tried since the last hit.
    fn miss(&mut self, misses: u64) -> Result<(), Error> {
        if !self.is_exact {
            self.bar.set_position(misses);
        }
        if self.printed.elapsed() >= PATIENCE {
            self.flush()?;
        }
        Ok(())
    }

    /// Ends the file.
    fn finish(self) -> Result<(), Error> {
        self.bar.finish_and_clear();
        self.files.finish()
    }
}

/// Prints what dealer prints for a script's actions.
fn as_dealer(
    arguments: &DealArguments,
    set: &Set,
    boards: &mut SetBoards<'_>,
    name: &str,
    clock: Instant,
) -> Result<(), Error> {
    let (script, words) = (set.script(), set.words());
    let failed = |error| set.prepared().population.evaluation_error(&error);
    let usual = [Action::PrintAll];
    let actions = script.actions.as_deref().unwrap_or(&usual);
    let questions = ScriptQuestions::of(actions);
    let event = arguments.labels.event.clone().unwrap_or_else(|| {
        format!(
            "Hand simulated by fairdeal with file {}, seed {}",
            printable(name),
            words.number
        )
    });
    let (year, month, day) = UtcTime::now().date();
    let date = format!("{year:04}.{month:02}.{day:02}");
    let out = BufWriter::new(io::stdout().lock());
    let printer = DealerPrinter::new(out, actions, event, date);
    let mut printer = printer.with_title(script.title.as_deref());
    let mut answer_counter = AnswerCounter::new(&questions, Isa::chosen());
    while let Some(event) = boards.next().transpose()? {
        let SearchEvent::Next(mut found) = event else {
            continue;
        };
        found.board.tricks = found.dealt.tricks;
        let printed = printer.print(&found.board, found.dealt.draws);
        printed.map_err(|error| match error {
            PrintError::Evaluation(error) => failed(error),
            PrintError::Io(error) => error.into(),
        })?;
        answer_counter.ask(&found.dealt).map_err(failed)?;
    }
    let effort = Effort {
        generated: boards.generated(),
        produced: boards.found(),
        seed: words.number,
        seconds: clock.elapsed().as_secs_f64(),
    };
    let statistics = answer_counter.answers().map_err(failed)?;
    let answers = statistics.answers().iter().map(|answer| match answer {
        Answer::Average(sums) => ActionAnswer::Average(sums.mean(statistics.deals())),
        Answer::Frequency(cells) => ActionAnswer::Frequency(cells),
    });
    Ok(printer.finish(answers, &effort)?)
}
