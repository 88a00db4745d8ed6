//! Options of `deal` for sets to play: labels, comments, sheets of paper, and the order of seats.

use std::ops::RangeInclusive;

use clap::Args;
use clap::builder::{PossibleValue, TypedValueParser};

use fairdeal::Error;
use fairdeal::bridge::Seat;
use fairdeal::draw::Rotation;
use fairdeal::formats::{BoardRecord, Carries, Format, PageLayout, Paper};

use super::super::values::{self, NameParser};

/// Numbers of boards on a sheet of paper.
const PER_PAGE: RangeInclusive<i64> = 1..=PageLayout::MOST_BOARDS as i64;

/// Options for sets to play.
#[derive(Args, Debug)]
#[command(next_help_heading = "Boards")]
pub(super) struct SetOptions {
    /// Names of the players, in this order of seats
    ///
    /// For formats with names: pbn, lin, html, rbn and json.
    #[arg(long, value_name = "N,E,S,W", conflicts_with = "dealer_output", value_parser = BoardRecord::names_in)]
    names: Option<Names>,

    /// Place of the event, for pbn, rbn and json
    #[arg(long, value_name = "NAME", conflicts_with = "dealer_output",
        value_parser = values::line)]
    site: Option<String>,

    /// Date of the event, for pbn, rbn and json, such as 2026.11.26 or
    /// 2026.??.??
    #[arg(long, value_name = "DATE", conflicts_with = "dealer_output",
        value_parser = values::date)]
    date: Option<String>,

    /// Method of scoring, for pbn, rbn and json, such as IMP or MatchPoints
    #[arg(long, value_name = "NAME", conflicts_with = "dealer_output",
        value_parser = values::line)]
    scoring: Option<String>,

    /// Add what the script's `printes` prints to each board, as a comment
    ///
    /// For formats with comments: pbn, lin, html, rbn and json.
    #[arg(long, conflicts_with_all = ["dealer_output", "defect"])]
    pub(super) comment: bool,

    /// Boards on a sheet, for html: 1 to 18 [default: 4]
    ///
    /// From 5 on, hand records are compact, in up to three columns.
    #[arg(long, value_name = "N", conflicts_with = "dealer_output",
        value_parser = clap::value_parser!(u8).range(PER_PAGE))]
    per_page: Option<u8>,

    /// Give each of these seats a sheet of its own, for html
    ///
    /// Such as south or n,e,s,w. The next sheet has all hands of the same boards.
    #[arg(long, value_name = "SEATS", value_delimiter = ',', conflicts_with = "dealer_output",
        value_parser = values::seat)]
    show: Vec<Seat>,

    /// Put types, par and comments on other sheets, for html
    #[arg(long, conflicts_with = "dealer_output")]
    answers: bool,

    /// Size of the sheets, for html: a4 or letter [default: a4]
    #[arg(long, value_name = "SIZE", hide_possible_values = true,
        conflicts_with = "dealer_output", value_parser = papers())]
    paper: Option<Paper>,

    /// Move the hands to other seats from board to board
    ///
    /// A dealer and a vulnerability from --dealer, --vul or the script move too; those of a file or
    /// by board number stay.
    #[arg(long, value_name = "HOW", conflicts_with_all = ["dealer_output", "defect"],
        value_parser = rotations())]
    pub(super) rotate: Option<Rotation>,

    /// Deal no deal twice in the set
    ///
    /// Every set of different deals that satisfy the condition is then equally likely. A repeat
    /// has a noticeable probability only if the condition leaves few deals. With --from, also leaves
    /// out equal deals of boards with different numbers, or without any.
    #[arg(long, conflicts_with_all = ["dealer_output", "defect"])]
    pub(super) no_repeats: bool,
}

// An alias, because clap would read an array as a repeatable option.
type Names = [String; 4];

/// Parser of the sizes of paper.
fn papers() -> NameParser<impl TypedValueParser<Value = Paper>> {
    values::described(Paper::ALL)
}

/// Parser of the names of rotations.
fn rotations() -> NameParser<impl TypedValueParser<Value = Rotation>> {
    let all = Rotation::ALL.into_iter();
    values::named(all.map(|(name, words, how)| (how, PossibleValue::new(name).help(words))))
}

impl SetOptions {
    /// The labels that these options give to all boards.
    pub(super) fn labels(&self, event: Option<&String>) -> BoardRecord {
        let text = |of: Option<&String>| of.map_or("", String::as_str).into();
        let names = self.names.clone().unwrap_or_default();
        BoardRecord {
            event: [event, self.site.as_ref(), self.date.as_ref(), None].map(text),
            scoring: text(self.scoring.as_ref()),
            names: names.map(String::into_boxed_str),
            ..BoardRecord::default()
        }
    }

    /// The layout of sheets of paper.
    pub(super) fn layout(&self) -> PageLayout {
        let layout = PageLayout::default();
        PageLayout {
            boards: self.per_page.map_or(layout.boards, usize::from),
            alone: self.show.clone(),
            has_answers: self.answers,
            paper: self.paper.unwrap_or_default(),
        }
    }

    /// Rejects options that a format cannot express.
    pub(super) fn check(&self, formats: &[Format]) -> Result<(), Error> {
        refuse_unless_carried(
            formats,
            &[
                ("--names", self.names.is_some(), |carries| carries.names),
                ("--site", self.site.is_some(), |carries| carries.details),
                ("--date", self.date.is_some(), |carries| carries.details),
                ("--scoring", self.scoring.is_some(), |carries| {
                    carries.scoring
                }),
                ("--comment", self.comment, |carries| carries.comment),
                ("--per-page", self.per_page.is_some(), |carries| {
                    carries.layout
                }),
                ("--show", !self.show.is_empty(), |carries| carries.layout),
                ("--answers", self.answers, |carries| carries.layout),
                ("--paper", self.paper.is_some(), |carries| carries.layout),
            ],
        )
    }
}

/// An option, whether it is given, and whether a format stores its value.
pub(super) type CarriedOption = (&'static str, bool, fn(Carries) -> bool);

/// Rejects options whose values none of the formats stores.
pub(super) fn refuse_unless_carried(
    formats: &[Format],
    options: &[CarriedOption],
) -> Result<(), Error> {
    for (option, is_given, is_carried) in options {
        let stores = |format: &&Format| is_carried(format.carries());
        if *is_given && !formats.iter().any(|format| stores(&format)) {
            let others = Format::written().filter(|format| is_carried(format.carries()));
            let others: Vec<&str> = others.map(Format::name).collect();
            return Err(Error::usage(format!(
                "{option} is not supported by the format {}: use {}",
                formats[0].name(),
                others.join(", ")
            )));
        }
    }
    Ok(())
}
