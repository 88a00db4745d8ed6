//! `fairdeal deal`

mod boards;
mod library;
mod mixed;
mod sets;

use std::io::{self, BufWriter, IsTerminal, StdoutLock};
use std::time::{Duration, Instant};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Args, ValueEnum};
use jiff::Zoned;

use fairdeal::bridge::{Deal, Seat, Vulnerable};
use fairdeal::defect::Defect;
use fairdeal::draw::{
    DealScratch, DealSource, Dealer, DrawError, Generator, Portion, Turns, blocks, different_deals,
};
use fairdeal::filter::Filter;
use fairdeal::formats::{Board, DealerPrinter, Effort, Format, PrintError, Writer, printed_text};
use fairdeal::language::{Action, DealWithDraws, Script};
use fairdeal::population::Population;
use fairdeal::population::cases::CaseBytes;
use fairdeal::printable::{grouped, printable};
use fairdeal::run::{Asking, DealStream, MOST_DEALS, MOST_TRIES};
use fairdeal::sampler::Need;
use fairdeal::solver::SolverTeam;
use fairdeal::tally::ScriptQuestions;
use fairdeal::tasks::run::Explanation;
use fairdeal::tasks::{ConditionInput, DEFAULT_SOLVED_DEALS, Prepared, RandomWords, defective};

use self::boards::{BoardStep, BoardStream, Solving};
use self::sets::{SetOptions, refuse_unless_carried};
use super::input::{InputOptions, LibraryOptions, SamplingOptions};
use super::output::{self, Progress};
use super::run::explanation;
use super::terminal::Terminal;
use super::values::NameParser;
use super::words::{self, WordsOptions};
use super::{cache, failure, json, log, values};
use fairdeal::Error;

/// Default number of deals, if neither the script nor `-n` sets it.
const DEFAULT_DEALS: u64 = 10;

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
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct DealArguments {
    #[command(flatten)]
    input: InputOptions,

    /// Number of deals, such as 36, 1M or 1e6
    ///
    /// The default is the script's `produce`, or 10; with --from, all.
    #[arg(short = 'n', long, value_name = "N", help_heading = "Deals",
        allow_negative_numbers = true, value_parser = values::deals)]
    deals: Option<u64>,

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
        value_parser = values::choice::<Shares>())]
    shares: Option<Shares>,

    /// Give up after this many deals in a row without one that satisfies the
    /// condition
    #[arg(long, value_name = "N", help_heading = "Computation", default_value_t = MOST_TRIES,
        allow_negative_numbers = true, conflicts_with = "dealer_output",
        value_parser = values::count)]
    max_tries: u64,

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
enum Shares {
    /// The shares of the mix, to the nearest board, in random order
    Exact,
    /// By chance: each board has a type with the probability of its share
    Random,
}

/// The labels of a board.
#[derive(Args, Debug)]
#[command(next_help_heading = "Boards")]
struct Labels {
    /// Dealer of every board [default: by board number]
    ///
    /// For formats with dealers: pbn, lin, html, csv, json and --dealer-output.
    #[arg(long, value_name = "SEAT", value_parser = values::seat)]
    dealer: Option<Seat>,

    /// Vulnerability: none, ns, ew or all [default: by board number]
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

    /// Number of the first board [default: 1]
    ///
    /// For formats with board numbers: pbn, lin, html, rbn, csv, all, json and --dealer-output.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::deals)]
    board: Option<u64>,
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

    /// The number of the board at this place, counted from 1.
    fn number(&self, script: &Script, place: u64) -> u64 {
        self.board.or(script.start_board).unwrap_or(1) + (place - 1)
    }

    /// The board at this place, counted from 1, labelled by these options, the script, or its
    /// number; hands and stated labels move clockwise by `turns` seats.
    fn board(&self, script: &Script, place: u64, deal: Deal, turns: usize) -> Board {
        let mut board = Board::new(self.number(script, place), deal.turned(turns));
        let dealer = self.dealer.or(script.dealer);
        let vulnerable = self.vulnerable.or(script.vulnerable);
        board.dealer = dealer.map_or(board.dealer, |seat| seat.turned(turns));
        board.vulnerable = vulnerable.map_or(board.vulnerable, |sides| sides.turned(turns));
        board
    }
}

// The last board's number does not overflow.
const _: () = assert!(MOST_DEALS < u64::MAX / 2);

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
    let request = arguments.words.request();
    let request = match &input {
        ConditionInput::Script(script) => request.of_script(script),
        ConditionInput::CaseFile(_) => request,
    };
    let words = request.words()?;
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
    let (input, solving) = Solving::of(arguments, input)?;
    if solving.is_some() && arguments.defect.is_some() {
        return Err(Error::usage(
            "--defect is not supported for scripts that ask double-dummy tricks",
        ));
    }
    let need = |script: &Script| arguments.need(script);
    let sampling = arguments.options.sampling();
    let sampling = sampling.with_defect(arguments.defect.is_some());
    let (listings, terminal) = (cache::listings()?, Terminal::new(arguments.quiet));
    let prepared = Prepared::new(input, &sampling, need, &listings, &terminal)?;
    prepared.warn(&terminal);
    let mut team = Solving::team(solving.as_ref().filter(|_| !arguments.explain))?;
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
        as_dealer(arguments, &set, team.as_mut(), &name)?;
        0
    } else {
        write(arguments, &set, team.as_mut())?
    };
    prepared.population.check_records()?;
    Ok(code)
}

impl DealArguments {
    /// The number of deals.
    fn wanted(&self, script: &Script) -> u64 {
        let most = script.generate.unwrap_or(u64::MAX);
        let wanted = self.deals.or(script.produce);
        wanted.unwrap_or(DEFAULT_DEALS.min(most))
    }

    /// The deals that a script needs, and their purpose.
    fn need(&self, script: &Script) -> Need {
        if self.dealer_output {
            let (wanted, draws) = as_dealer_needs(self.deals, script);
            return Need::boards(wanted, Some(draws));
        }
        Need::boards(self.wanted(script), script.generate)
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
        self.shares.unwrap_or(Shares::Exact)
    }

    fn format(&self) -> Format {
        match self.json {
            true => Format::Json,
            false => self.format.unwrap_or(Format::Line),
        }
    }

    /// Opens a file of boards on standard output.
    fn file(&self, wanted: u64, made_by: &str) -> Result<Writer<Out>, Error> {
        let out = BufWriter::new(io::stdout().lock());
        let file = Writer::new(out, self.format(), wanted, made_by)?;
        let labels = self.sets.labels(self.labels.event.as_ref());
        Ok(file.with_labels(labels).with_layout(self.sets.layout()))
    }
}

type Out = BufWriter<StdoutLock<'static>>;

/// Boards to be dealt from one population.
struct DealtSet<'s> {
    prepared: &'s Prepared,
    words: &'s RandomWords,
    solving: Option<&'s Solving>,
}

impl<'s> DealtSet<'s> {
    /// The script with its actions.
    fn script(&self) -> &'s Script {
        let whole = self.solving.and_then(|solving| solving.script.as_deref());
        whole.unwrap_or(&self.prepared.script)
    }

    /// Whether every deal drawn is a board.
    fn is_exact(&self) -> bool {
        let is_filtered = self.solving.is_some_and(Solving::is_filtered);
        self.prepared.population.is_exact() && !is_filtered
    }

    /// The boards, at most `limit` of them before any filter.
    fn stream<'a>(
        &self,
        arguments: &DealArguments,
        dealer: &'a Dealer<'s, CaseBytes>,
        generator: &'a dyn Generator,
        limit: u64,
    ) -> BoardStream<'a, 's> {
        let population = &self.prepared.population;
        let stream = DealStream::new(dealer, generator, Filter::of(population), limit);
        let mut stream = stream.with_draws(self.script().has_draws());
        if !arguments.dealer_output {
            stream = stream.giving_up_after(arguments.max_tries);
        }
        if arguments.sets.no_repeats {
            stream = stream.without_repeats();
        }
        BoardStream::new(stream, population, self.solving, arguments.max_tries)
    }
}

/// Maximum numbers of deals that dealer would produce and generate for a script.
fn as_dealer_needs(deals: Option<u64>, script: &Script) -> (u64, u64) {
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
    (deals.or(script.produce).unwrap_or(most), limit)
}

/// Writes deals in a format and returns the exit code.
fn write(
    arguments: &DealArguments,
    set: &DealtSet<'_>,
    mut team: Option<&mut SolverTeam>,
) -> Result<u8, Error> {
    let (script, prepared) = (set.script(), set.prepared);
    let (population, generator) = (&prepared.population, &*set.words.generator);
    let wanted = arguments.wanted(script);
    let sets = &arguments.sets;
    sets.check_repeats(wanted, different_deals(population))?;
    // Without a filter every deal drawn is used; with one the script's limit applies.
    let limit = script.generate.unwrap_or(u64::MAX);
    let limit = match set.is_exact() && !sets.no_repeats {
        true => limit.min(wanted),
        false => limit,
    };
    // The seed is left out: with it, anyone could deal the boards that are still to be played.
    let made_by = concat!("fairdeal ", env!("CARGO_PKG_VERSION"));
    let file = arguments.file(wanted, made_by)?;
    let dealer = output::during("guides", arguments.quiet, || prepared.dealer(wanted))?;
    let mut stream = set.stream(arguments, &dealer, generator, limit);
    let mut boards = SetWriter {
        labels: BoardLabels::new(arguments, script, generator).of_solved(set.solving),
        search: BoardSearch::new(arguments, file, wanted, set.is_exact()),
    };
    while boards.search.found < wanted {
        match stream.step(team.as_deref_mut(), wanted - boards.search.found)? {
            BoardStep::Deal(deal) => boards.write(&deal)?,
            BoardStep::Searching => boards.search.misses(stream.misses())?,
            BoardStep::End => break,
        }
    }
    let found = boards.search.finish()?;
    if found == wanted {
        return Ok(0);
    }
    let end = SearchEnd::of(arguments, &stream, found);
    log::error(end.message(found, wanted, prepared));
    Ok(failure::GAVE_UP)
}

/// Labels the boards of a set in their order.
struct BoardLabels<'a> {
    arguments: &'a DealArguments,
    script: &'a Script,
    turns: Option<Turns<'a>>,
    /// Whether the tables of tricks are complete.
    has_tables: bool,
}

impl<'a> BoardLabels<'a> {
    /// Random turns take their words from the generator.
    fn new(arguments: &'a DealArguments, script: &'a Script, generator: &'a dyn Generator) -> Self {
        let rotation = arguments.sets.rotation();
        Self {
            arguments,
            script,
            turns: rotation.map(|how| Turns::new(how, generator)),
            has_tables: true,
        }
    }

    /// The labels of boards that are solved for these tricks.
    fn of_solved(mut self, solving: Option<&Solving>) -> Self {
        self.has_tables = solving.is_some_and(Solving::is_whole);
        self
    }

    /// The board at the next place, counted from 1, and the comment on it: what the script's
    /// `printes` prints.
    fn next(&mut self, place: u64, deal: &DealWithDraws) -> Result<(Board, String), Error> {
        let (labels, script) = (&self.arguments.labels, self.script);
        let turned = match &mut self.turns {
            Some(turns) => turns.next(labels.number(script, place)),
            None => Ok(0),
        };
        let turned =
            turned.map_err(|error| DrawError::from(error).of(&Population::every_deal()))?;
        let mut board = labels.board(script, place, deal.deal, turned);
        let tricks = deal.tricks.filter(|_| self.has_tables);
        board.tricks = tricks.map(|tricks| tricks.turned(turned));
        let actions = script.actions.as_deref().unwrap_or_default();
        let comment = match self.arguments.sets.comment {
            true => printed_text(actions, deal)
                .map_err(|error| Error::from(script.condition.evaluation_error(&error)))?,
            false => String::new(),
        };
        Ok((board, comment))
    }
}

/// Labels the boards of a set, and prints them.
struct SetWriter<'a> {
    labels: BoardLabels<'a>,
    search: BoardSearch,
}

impl SetWriter<'_> {
    /// Prints the next board.
    fn write(&mut self, deal: &DealWithDraws) -> Result<(), Error> {
        let (board, comment) = self.labels.next(self.search.found + 1, deal)?;
        self.search.found(&board, &comment)
    }
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
            false => output::progress("tried", arguments.max_tries, is_quiet),
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
        let (found, wanted) = (grouped(self.found), grouped(self.wanted));
        self.bar.say(format!("{found} of {wanted} deals found"));
    }

    /// Prints a board, at once if boards are rare.
    fn found(&mut self, board: &Board, comment: &str) -> Result<(), Error> {
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

    fn flush(&mut self) -> io::Result<()> {
        self.printed = Instant::now();
        let file = &mut self.file;
        match self.shares_terminal {
            true => self.bar.suspend(|| file.flush()),
            false => file.flush(),
        }
    }

    /// Ends the file and returns the number of boards.
    fn finish(self) -> io::Result<u64> {
        self.bar.finish_and_clear();
        self.file.finish()?;
        Ok(self.found)
    }
}

/// Why a search ended before all deals were found.
#[derive(Clone, Copy, Debug)]
enum SearchEnd {
    /// This many consecutive deals did not satisfy the condition.
    GaveUp(u64),
    /// This many consecutive deals did not satisfy the condition or were repeats.
    NoNewDeal(u64),
    /// The script's `generate` limit, in deals.
    ScriptLimit(u64),
}

impl SearchEnd {
    /// Why a stream of deals ended after this number of them.
    fn of(arguments: &DealArguments, stream: &BoardStream<'_, '_>, found: u64) -> Self {
        match stream.misses() >= arguments.max_tries {
            true if arguments.sets.no_repeats && found > 0 => Self::NoNewDeal(stream.misses()),
            true => Self::GaveUp(stream.misses()),
            false => Self::ScriptLimit(stream.tried()),
        }
    }

    fn message(self, found: u64, wanted: u64, prepared: &Prepared) -> String {
        let found_of = format!("found {} of {} deals", grouped(found), grouped(wanted));
        match self {
            Self::GaveUp(tries) => {
                let tried = grouped(tries);
                let share = share_below(found, tries, prepared);
                let again = if found == 0 { "one" } else { "another" };
                format!(
                    "{found_of} and gave up after {tried} tries in a row without {again}; \
                     {share}; raise --max-tries to search longer"
                )
            }
            Self::NoNewDeal(tries) => format!(
                "{found_of} and gave up after {} tries in a row without a new one; raise --max-tries \
                 to search longer",
                grouped(tries)
            ),
            Self::ScriptLimit(tried) if found == 0 => {
                let share = share_below(found, tried, prepared);
                let tried = grouped(tried);
                format!("{found_of} among the {tried} that the script generates; {share}")
            }
            Self::ScriptLimit(tried) => {
                format!(
                    "{found_of} among the {} that the script generates",
                    grouped(tried)
                )
            }
        }
    }
}

/// Upper bound, at 99.9 % confidence, on the share of deals that satisfy the condition after this
/// many tries without one.
///
/// The confidence covers all `found` + 1 gaps, any of which might have been this long by chance.
fn share_below(found: u64, tries: u64, prepared: &Prepared) -> String {
    let bound = (1000.0 * (found + 1) as f64).ln() / tries as f64;
    let share = bound.min(1.0) * prepared.reasons.share.unwrap_or(1.0);
    let deals = match prepared.script.condition.predeal().is_empty() {
        true => "of all deals",
        false => "of all deals with the predealt cards",
    };
    format!("below {share:.1e} {deals} satisfy the condition (99.9 % confidence)")
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
    let wanted = arguments.wanted(&prepared.script);
    let source = defective(defect, words, prepared)?;
    let mut file = arguments.file(wanted, "fairdeal, with a defect")?;
    let mut places = 1..;
    for block in blocks(0..wanted) {
        let mut dealt = Vec::new();
        let portion = Portion::Block(block);
        let done = source.deal(&portion, &mut DealScratch::default(), &mut |packet| {
            dealt.extend((0..packet.deals()).map(|place| packet.deal(place)));
        });
        done.map_err(|error| error.of(&prepared.population))?;
        for (deal, place) in dealt.into_iter().zip(places.by_ref()) {
            file.write(&arguments.labels.board(&prepared.script, place, deal, 0))?;
        }
    }
    Ok(file.finish()?)
}

/// Runs a script's actions as dealer does.
fn as_dealer(
    arguments: &DealArguments,
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
    let date = Zoned::now().strftime("%Y.%m.%d").to_string();
    let out = BufWriter::new(io::stdout().lock());
    let printer = DealerPrinter::new(out, actions, event, date);
    let mut printer = printer.with_title(script.title.as_deref());
    let dealer = prepared.dealer(wanted)?;
    let mut stream = set.stream(arguments, &dealer, &*words.generator, limit);
    let mut asking = Asking::new(&questions, dealer.path());
    let mut produced = 0;
    while produced < wanted {
        let deal = match stream.step(team.as_deref_mut(), wanted - produced)? {
            BoardStep::Deal(deal) => deal,
            BoardStep::Searching => continue,
            BoardStep::End => break,
        };
        produced += 1;
        let mut board = arguments.labels.board(script, produced, deal.deal, 0);
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
