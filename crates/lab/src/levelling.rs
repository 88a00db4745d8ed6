//! Sets of deals levelled in three ways, so that rare types of hands come as often as common ones: a
//! mix (`#mix:`), `rnd` and spot cards, the usual way in collections of practice scripts.
//!
//! South opens 1NT and north has one of five answers. `rnd` and the spot cards keep about the same
//! share of each answer, and the mix has exactly the shares of `rnd`: the natural shares times the
//! shares that are kept. Their tables must be alike; those of the spot cards differ.

use std::fs;

use clap::Args;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{fairdeal, output};
use crate::sheet::{Column, Sheet, kept};
use crate::{Failure, count};

/// The sets.
#[derive(Args)]
pub(crate) struct Options {
    /// Boards of each set
    #[arg(long, default_value = "1M", value_parser = count)]
    deals: u64,
}

const TYPES: &str = "\
oneNT = shape(south, any 4333 + any 4432 + any 5332) && hcp(south) >= 15 && hcp(south) <= 17
transfer = spades(north) >= 5 || hearts(north) >= 5
stayman = (spades(north) == 4 || hearts(north) == 4) && hcp(north) >= 8
passes = hcp(north) <= 7
raise = hcp(north) <= 9
game = 1
";

const SPOTS: &str = "\
c1 = hascard(west, 2C)
c2 = hascard(east, 2D)
c3 = hascard(west, 3C)
c4 = hascard(east, 3D)
";

/// Each answer, how many of 10,000 are kept, and the spot cards that keep about this share.
const ANSWERS: [(&str, u64, &str); 5] = [
    ("transfer", 1_126, "c1 && (c3 || c4)"),
    ("stayman", 2_500, "c1"),
    ("passes", 637, "c1 && c2"),
    ("raise", 10_000, "1"),
    ("game", 4_412, "c3 || c4"),
];

const SHARES: &[Column] = &[
    ("type", -10),
    ("natural, %", 10),
    ("kept, %", 8),
    ("in the mix, %", 13),
];

const COMPARED: &[Column] = &[
    ("sets", -14),
    ("S", 9),
    ("verdict", -13),
    ("promise", -7),
    ("strongest", -1),
];

pub(crate) fn measure(options: &Options, sheet: &mut Sheet) -> Result<(), Failure> {
    let (fairdeal, folder) = (fairdeal()?, TempDir::new()?);
    let run = |command: &str| output(&format!("{fairdeal} {command}"), folder.path());
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text);

    let natural = "#mix: transfer, stayman, passes, raise, game\ncondition oneNT\n";
    write("natural.dl", format!("{TYPES}{natural}"))?;
    let theory: Value = serde_json::from_str(&run("theory natural.dl --json")?.checked()?.stdout)?;
    let types = theory["types"].as_array().ok_or("theory has no types")?;
    let natural = ANSWERS.map(|(name, ..)| {
        let of_type = types.iter().find(|of_type| of_type["name"] == name);
        of_type.and_then(|of_type| fraction(of_type["natural_share"].as_str()?))
    });
    let weights = ANSWERS.iter().zip(natural);
    let weights = weights.map(|((_, kept, _), share)| Some(share? * *kept as f64));
    let weights: Option<Vec<f64>> = weights.collect();
    let weights = weights.ok_or("theory has no natural share of a type")?;
    let sum: f64 = weights.iter().sum();
    sheet.section("shares of the answers", SHARES);
    for ((answer, share), weight) in ANSWERS.iter().zip(natural).zip(&weights) {
        let percent = |share: f64| json!(100.0 * share);
        let kept = percent(answer.1 as f64 / 10_000.0);
        let row = [json!(answer.0), percent(share.unwrap_or(0.0)), kept];
        sheet.row(row.into_iter().chain([percent(weight / sum)]).collect());
    }

    let parts = ANSWERS.iter().zip(&weights);
    let parts = parts.map(|((name, ..), weight)| format!("{name} {:.0}", weight / sum * 1e9));
    let parts: Vec<String> = parts.collect();
    write(
        "mix.dl",
        format!("{TYPES}#mix: {}\ncondition oneNT\n", parts.join(", ")),
    )?;
    let by_chance = levelled(|(_, kept, _)| match kept {
        10_000 => "1".to_owned(),
        _ => format!("chance < {kept}"),
    });
    write(
        "rnd.dl",
        format!("{TYPES}chance = rnd(10000)\ncondition oneNT && ({by_chance})\n"),
    )?;
    let by_cards = levelled(|(.., cards)| (*cards).to_owned());
    write(
        "spots.dl",
        format!("{TYPES}{SPOTS}condition oneNT && ({by_cards})\n"),
    )?;
    for (seed, set) in (1..).zip(["mix", "rnd", "spots"]) {
        let deals = options.deals;
        run(&format!(
            "deal {set}.dl -n {deals} --seed {seed} --quiet >{set}.txt"
        ))?
        .checked()?;
        // Levelled deals are not uniform among all deals of a condition: only their tables count.
        let audit = format!("audit {set}.txt --any-condition --quiet --out {set}-tables");
        run(&audit)?.checked()?;
    }

    sheet.section(
        "the tables of the mix compared with those of the other sets",
        COMPARED,
    );
    for (set, wanted) in [("rnd", "ALIKE"), ("spots", "DIFFERENT")] {
        let compared = run(&format!("compare mix-tables {set}-tables --json"))?.checked()?;
        let compared: Value = serde_json::from_str(&compared.stdout)?;
        let empty = Vec::new();
        let tests = compared["tests"].as_array().unwrap_or(&empty).iter();
        let log10_p = |test: &&Value| test["log10_p"].as_f64().unwrap_or(0.0);
        let strongest = tests.min_by(|a, b| log10_p(a).total_cmp(&log10_p(b)));
        let text = |test: &Value, key: &str| test[key].as_str().unwrap_or_default().to_owned();
        sheet.row(vec![
            json!(format!("mix and {set}")),
            compared["s"].clone(),
            compared["verdict"].clone(),
            kept(compared["verdict"] == wanted),
            json!(strongest.map(|test| {
                let p = log10_p(&test);
                format!(
                    "{} {}: log10 p = {p:.1}",
                    text(test, "test"),
                    text(test, "subject")
                )
            })),
        ]);
    }
    Ok(())
}

/// One line of nested choices: a deal is kept or not by the first type that holds.
fn levelled(keep: impl Fn(&(&str, u64, &str)) -> String) -> String {
    let terms = ANSWERS
        .iter()
        .map(|answer| format!("{} ? ({}) : (", answer.0, keep(answer)));
    format!(
        "{}0{}",
        terms.collect::<String>(),
        ")".repeat(ANSWERS.len())
    )
}

/// The value of a fraction such as `3/4`.
fn fraction(text: &str) -> Option<f64> {
    let (part, whole) = text.split_once('/').unwrap_or((text, "1"));
    Some(part.trim().parse::<f64>().ok()? / whole.trim().parse::<f64>().ok()?)
}
