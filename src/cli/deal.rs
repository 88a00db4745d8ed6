//! `fairdeal deal`

mod library;
mod mixed;
mod sets;

use std::io::{self, BufWriter, IsTerminal, StdoutLock};
use std::time::{Duration, Instant};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Args, ValueEnum};

use fairdeal::bridge::{Seat, Vulnerable};
use fairdeal::defect::Defect;
use fairdeal::draw::{DealScratch, DealSource, Portion, Shares, blocks};
use fairdeal::formats::{Board, DealerPrinter, Effort, Format, PrintError, Writer};
use fairdeal::language::{Action, Script};
use fairdeal::printable::{printable, thousands};
use fairdeal::report::PROGRAM;
use fairdeal::run::{Asking, DealCount, MOST_TRIES};
use fairdeal::sampler::Need;
use fairdeal::solver::SolverTeam;
use fairdeal::tally::ScriptQuestions;
use fairdeal::tasks::boards::{
    BoardLabels, BoardNumber, BoardRequest, BoardSink, BoardSolving, BoardStep, DealtSet, SearchEnd,
};
use fairdeal::tasks::run::Explanation;
use fairdeal::tasks::{ConditionInput, DEFAULT_SOLVED_DEALS, Prepared, RandomWords, defective};

use self::sets::{SetOptions, refuse_unless_carried};
use super::input::{InputOptions, LibraryOptions, SamplingOptions};
use super::output::{self, Progress};
use super::run::explanation;
use super::terminal::Terminal;
use super::values::NameParser;
use super::words::{self, WordsOptions};
use super::{cache, failure, json, log, values};
use fairdeal::Error;
use fairdeal::utc::UtcTime;

/// Default number of deals that dealer prints.
const DEALER_PRINTS: u64 = 40;
const DEALER_DRAWS: u64 = 10_000_000;

/// Maximum time before a found board is printed.
const PATIENCE: Duration = Duration::from_millis(200);

const EXAMPLES: &str = "\
Examples:
  fairdeal deal flannery-misfit -n 36 --format pbn > boards.pbn
  fairdeal deal --where 'hcp(north) >= 20 && hearts(south) >= 5' --format lin
  fairdeal deal script.dl --dealer-output --seed 1
  fairdeal deal unconstrained -n 8 --format pbn --board 9 --event 'Club night'

Exit codes: 0 done; 5 gave up before all deals were found; 64 wrong usage;
65 bad input; 74 reading or writing failed.";

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
/// With --from, converts the boards of files. They keep number, dealer and vulnerability, unless
/// the options or the script set them. Replays (the number and the cards of an earlier board) are
/// left out. A warning for each kind says what the format or the conversion does not keep.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
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
        help_heading = "Deals",
        allow_negative_numbers = true
    )]
    deals: Option<DealCount>,

    /// Format of the deals [default: line]; `--format help` lists them
    #[arg(long, value_name = "NAME", help_heading = "Output", hide_possible_values = true,
        value_parser = formats(Format::written()))]
    format: Option<Format>,

    /// Print a JSON object per board (same as --format json)
    #[arg(long, help_heading = "Output", conflicts_with_all = ["format", "dealer_output"])]
    json: bool,

    /// Print what dealer prints for the script's actions
    #[arg(long, help_heading = "Output", conflicts_with = "format")]
    dealer_output: bool,

    /// Print nothing but deals and errors (and a generated seed, to stderr)
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,

    /// Solve each board double-dummy, on all cores
    ///
    /// For formats with tricks: pbn, html and zrd. A script that asks tricks needs no --solve.
    /// Deals of --from are solved if their file has no tricks.
    /// Needs a program with the feature dds.
    #[arg(long, help_heading = "Boards", conflicts_with_all = ["dealer_output", "defect"])]
    solve: bool,

    /// Plant a known defect; `--defect help` lists them
    ///
    /// Another program's tests should detect it.
    #[arg(long, value_name = "NAME", help_heading = "Deals", hide_possible_values = true,
        conflicts_with_all = ["rng", "dealer_output"], value_parser = words::defect())]
    defect: Option<&'static Defect>,

    #[command(flatten)]
    library: LibraryOptions,

    #[command(flatten)]
    words: WordsOptions,

    #[command(flatten)]
    labels: Labels,

    #[command(flatten)]
    sets: SetOptions,

    /// Numbers of boards of each type in a script with a mix [default: exact]
    #[arg(long, value_name = "HOW", help_heading = "Boards",
        value_parser = values::choice::<SharesChoice>())]
    shares: Option<SharesChoice>,

    /// Give up after this many deals in a row without one that satisfies the
    /// condition [default: 1000000000, fewer for slow conditions]
    #[arg(long, value_name = "N", help_heading = "Computation",
        allow_negative_numbers = true, conflicts_with = "dealer_output",
        value_parser = values::count)]
    max_tries: Option<u64>,

    /// Explain how deals would be found, and deal none
    ///
    /// Prints the sampler, the listing or the cells, the filter and its acceptance rate.
    #[arg(long, help_heading = "Computation")]
    explain: bool,

    #[command(flatten)]
    options: SamplingOptions,
}

/// `--shares`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SharesChoice {
    /// The shares of the mix, to the nearest board, in random order
    Exact,
    /// By chance: each board has a type with the probability of its share
    Random,
}

/// The labels of a board.
#[derive(Args, Debug)]
#[command(next_help_heading = "Boards")]
struct Labels {
    /// Dealer of every board [default: of the file, or by board number]
    ///
    /// For formats with dealers: pbn, lin, html, csv, json and --dealer-output.
    #[arg(long, value_name = "SEAT", value_parser = values::seat)]
    dealer: Option<Seat>,

    /// Vulnerability: none, ns, ew or all [default: of the file, or by board
    /// number]
    ///
    /// For formats with vulnerabilities: pbn, lin, html, csv, json and --dealer-output.
    #[arg(long = "vul", alias = "vulnerable", value_name = "SIDES",
        value_parser = values::vulnerable)]
    vulnerable: Option<Vulnerable>,

    /// Name of the event
    ///
    /// For formats with events: pbn, html, rbn and --dealer-output.
    #[arg(long, value_name = "NAME", value_parser = values::line)]
    event: Option<String>,

    /// Number of the first board [default: that of the file, or 1]
    ///
    /// For formats with board numbers: pbn, lin, html, rbn, csv, all, json and --dealer-output.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    board: Option<BoardNumber>,
}

impl Labels {
    /// Rejects labels that a format cannot express.
    fn check(&self, format: Format) -> Result<(), Error> {
        refuse_unless_carried(
            format,
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
    if !arguments.dealer_output {
        arguments.labels.check(arguments.format())?;
        arguments.sets.check(arguments.format())?;
        arguments.check_tricks()?;
    }
    if arguments.library.is_given() {
        return library::execute(arguments);
    }
    arguments.words.refuse_same_source(&arguments.input)?;
    let (name, input) = arguments.input.clone().with_tables().resolve_with_mix()?;
    let random = arguments.words.request();
    let random = match &input {
        ConditionInput::Script(script) => random.of_script(script),
        ConditionInput::CaseFile(_) => random,
    };
    let words = random.words()?;
    if let ConditionInput::Script(script) = &input
        && let Some(mix) = &script.mix
    {
        return mixed::execute(arguments, script, mix, &words);
    }
    if arguments.shares.is_some() {
        return Err(Error::usage(format!(
            "--shares is for a mix, and {name} has none"
        )));
    }
    arguments.note_left_out(&input)?;
    let request = arguments.request();
    let (input, solving) = BoardSolving::of(&request, input)?;
    if solving.is_some() && arguments.defect.is_some() {
        return Err(Error::usage(
            "--defect is not supported for scripts that ask double-dummy tricks",
        ));
    }
    let need = |script: &Script| arguments.need(script);
    let sampling = request.sampling.with_defect(arguments.defect.is_some());
    let (listings, terminal) = (cache::listings()?, Terminal::new(arguments.quiet));
    let prepared = Prepared::new(input, &sampling, need, &listings, &terminal)?;
    prepared.warn(&terminal);
    let mut team = BoardSolving::team(solving.as_ref().filter(|_| !arguments.explain))?;
    if arguments.explain {
        let found = Explanation::of(&prepared, &words)?;
        let out = &mut io::stdout().lock();
        match arguments.json {
            true => json::document(out, &found)?,
            false => explanation::print(out, &found)?,
        }
        return Ok(0);
    }
    if words.is_fresh {
        // On standard error: standard output is for programs to read.
        log::tell(format!("seed {}", words.seed))?;
    }
    let set = DealtSet {
        prepared: &prepared,
        words: &words,
        solving: solving.as_ref(),
    };
    let code = if let Some(defect) = arguments.defect {
        write_defective(arguments, &prepared, &words, defect)?;
        0
    } else if arguments.dealer_output {
        as_dealer(arguments, &request, &set, team.as_mut(), &name)?;
        0
    } else {
        write(arguments, &request, &set, team.as_mut())?
    };
    prepared.population.check_unchanged()?;
    Ok(code)
}

impl DealArguments {
    /// The request of the set.
    fn request(&self) -> BoardRequest {
        BoardRequest {
            boards: self.deals,
            max_tries: self.max_tries,
            gives_up: !self.dealer_output,
            no_repeats: self.sets.no_repeats,
            rotation: self.sets.rotation(),
            has_comments: self.sets.comment,
            has_actions: self.dealer_output,
            solve: self.solve,
            shares: self.shares(),
            labels: self.labels.of_boards(),
            sampling: self.options.sampling(),
        }
    }

    /// Says where to find what the script would print besides its boards.
    fn note_left_out(&self, input: &ConditionInput) -> Result<(), Error> {
        let ConditionInput::Script(script) = input else {
            return Ok(());
        };
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

    /// The deals that a script needs, and their purpose.
    fn need(&self, script: &Script) -> Need {
        if self.dealer_output {
            let (wanted, draws) = as_dealer_needs(self.deals, script);
            return Need::boards(wanted, Some(draws));
        }
        Need::boards(self.request().wanted(script), script.generate)
    }

    /// Rejects a format that stores tricks without boards that have them, and the reverse.
    fn check_tricks(&self) -> Result<(), Error> {
        let format = self.format();
        if format == Format::Zrd && !self.solve && !self.library.is_given() {
            return Err(Error::usage(
                "the format zrd stores double-dummy tricks: add --solve",
            ));
        }
        refuse_unless_carried(format, &[("--solve", self.solve, |carries| carries.tricks)])
    }

    fn shares(&self) -> Shares {
        match self.shares {
            None | Some(SharesChoice::Exact) => Shares::Exact,
            Some(SharesChoice::Random) => Shares::Random,
        }
    }

    fn format(&self) -> Format {
        match self.json {
            true => Format::Json,
            false => self.format.unwrap_or(Format::Line),
        }
    }

    /// Opens a file of boards on standard output.
    ///
    /// The name of the program is without the seed: with it, anyone could deal the boards that are
    /// still to be played.
    fn file(&self, wanted: u64, made_by: &str) -> Result<Writer<Out>, Error> {
        let out = BufWriter::new(io::stdout().lock());
        let file = Writer::new(out, self.format(), wanted, made_by)?;
        let labels = self.sets.labels(self.labels.event.as_ref());
        Ok(file.with_labels(labels).with_layout(self.sets.layout()))
    }
}

type Out = BufWriter<StdoutLock<'static>>;

/// Maximum numbers of deals that dealer would produce and generate for a script.
fn as_dealer_needs(deals: Option<DealCount>, script: &Script) -> (u64, u64) {
    let usual = [Action::PrintAll];
    let actions = script.actions.as_deref().unwrap_or(&usual);
    let prints = actions
        .iter()
        .any(|action| !matches!(action, Action::Average { .. } | Action::Frequency { .. }));
    let limit = script.generate.unwrap_or(DEALER_DRAWS);
    let most = match (prints, script.needs_tables()) {
        (true, _) => DEALER_PRINTS,
        (false, false) => limit,
        (false, true) => DEFAULT_SOLVED_DEALS,
    };
    let deals = deals.map(DealCount::get);
    (deals.or(script.produce).unwrap_or(most), limit)
}

/// Writes deals in a format and returns the exit code.
fn write(
    arguments: &DealArguments,
    request: &BoardRequest,
    set: &DealtSet<'_>,
    team: Option<&mut SolverTeam>,
) -> Result<u8, Error> {
    let wanted = request.wanted(set.script());
    let dealer = output::during("guides", arguments.quiet, || set.dealer(request))?;
    let file = arguments.file(wanted, PROGRAM)?;
    let mut search = BoardSearch::new(arguments, file, wanted, set.is_exact());
    let ended = set.deal(request, &dealer, team, &mut search)?;
    search.finish()?;
    Ok(exit_code(ended))
}

/// Prints why a search found too few deals, and returns the exit code.
fn exit_code(ended: Option<(SearchEnd, String)>) -> u8 {
    let Some((end, message)) = ended else {
        return 0;
    };
    log::error(match end.is_by_tries() {
        true => format!("{message}; raise --max-tries to search longer"),
        false => message,
    });
    failure::GAVE_UP
}

/// Prints boards as they are found, with a progress bar for the search.
struct BoardSearch {
    file: Writer<Out>,
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
    fn new(arguments: &DealArguments, file: Writer<Out>, wanted: u64, is_exact: bool) -> Self {
        let shares_terminal = io::stdout().is_terminal();
        // Deals without a search need no bar: they are printed as fast as the terminal shows them.
        let is_quiet = arguments.quiet || is_exact && shares_terminal;
        let bar = match is_exact {
            true => output::progress("deals", wanted, is_quiet),
            false => output::progress("tried", arguments.max_tries.unwrap_or(MOST_TRIES), is_quiet),
        };
        let search = Self {
            file,
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
        search
    }

    fn tell(&self) {
        let (found, wanted) = (thousands(self.found), thousands(self.wanted));
        self.bar.say(format!("{found} of {wanted} deals found"));
    }

    fn flush(&mut self) -> io::Result<()> {
        self.printed = Instant::now();
        let file = &mut self.file;
        match self.shares_terminal {
            true => self.bar.suspend(|| file.flush()),
            false => file.flush(),
        }
    }

    /// Ends the file.
    fn finish(self) -> io::Result<()> {
        self.bar.finish_and_clear();
        self.file.finish()
    }
}

impl BoardSink for BoardSearch {
    /// Prints a board, at once if boards are rare.
    fn board(&mut self, board: &Board, comment: &str) -> Result<(), Error> {
        self.file.write_with(board, comment)?;
        self.found += 1;
        if self.printed.elapsed() >= PATIENCE {
            self.flush()?;
            match self.is_exact {
                true => self.bar.set_position(self.found),
                false => self.tell(),
            }
        }
        Ok(())
    }

    /// Shows the number of deals tried since the last hit.
    fn misses(&mut self, misses: u64) -> Result<(), Error> {
        self.bar.set_position(misses);
        if self.printed.elapsed() >= PATIENCE {
            self.flush()?;
        }
        Ok(())
    }
}

/// Writes a defect's deals in a format.
fn write_defective(
    arguments: &DealArguments,
    prepared: &Prepared,
    words: &RandomWords,
    defect: &'static Defect,
) -> Result<(), Error> {
    if !defect.deals_are_legal() {
        return Err(Error::usage(format!(
            "the defect {} makes illegal deals, which no format can express",
            defect.name()
        )));
    }
    let wanted = arguments.request().wanted(&prepared.script);
    let source = defective(defect, words, prepared)?;
    let mut file = arguments.file(wanted, "fairdeal, with a defect")?;
    let labels = arguments.labels.of_boards();
    let mut places = 1..;
    for block in blocks(0..wanted) {
        let mut dealt = Vec::new();
        let portion = Portion::Block(block);
        let done = source.deal(&portion, &mut DealScratch::default(), &mut |packet| {
            dealt.extend((0..packet.deals()).map(|place| packet.deal(place)));
        });
        done.map_err(|error| error.of(&prepared.population))?;
        for (deal, place) in dealt.into_iter().zip(places.by_ref()) {
            file.write(&labels.board(&prepared.script, place, deal, 0))?;
        }
    }
    Ok(file.finish()?)
}

/// Runs a script's actions as dealer does.
fn as_dealer(
    arguments: &DealArguments,
    request: &BoardRequest,
    set: &DealtSet<'_>,
    mut team: Option<&mut SolverTeam>,
    name: &str,
) -> Result<(), Error> {
    let clock = Instant::now();
    let (script, prepared, words) = (set.script(), set.prepared, set.words);
    let population = &prepared.population;
    let usual = [Action::PrintAll];
    let actions = script.actions.as_deref().unwrap_or(&usual);
    let questions = ScriptQuestions::of(actions);
    let (wanted, limit) = as_dealer_needs(arguments.deals, script);
    let limit = if set.is_exact() {
        limit.min(wanted)
    } else {
        limit
    };
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
    let dealer = prepared.dealer(wanted)?;
    let mut stream = set.stream(request, &dealer, &*words.generator, limit);
    let mut asking = Asking::new(&questions, dealer.isa());
    let mut produced = 0;
    while produced < wanted {
        let deal = match stream.step(team.as_deref_mut(), wanted - produced)? {
            BoardStep::Deal(deal) => deal,
            BoardStep::Searching => continue,
            BoardStep::End => break,
        };
        produced += 1;
        let mut board = request.labels.board(script, produced, deal.deal, 0);
        board.tricks = deal.tricks;
        printer
            .print(&board, deal.draws)
            .map_err(|error| match error {
                PrintError::Evaluation(error) => population.evaluation_error(&error),
                PrintError::Io(error) => error.into(),
            })?;
        asking
            .ask(&deal)
            .map_err(|error| population.evaluation_error(&error))?;
    }
    let statistics = asking
        .answers()
        .map_err(|error| population.evaluation_error(&error))?;
    let effort = Effort {
        generated: stream.generated(),
        produced,
        seed: words.number,
        seconds: clock.elapsed().as_secs_f64(),
    };
    Ok(printer.finish(&statistics, &effort)?)
}
