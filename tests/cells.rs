//! Cells over suits come to what listings come to.

use std::time::Instant;

use fairdeal::cells::Cells;
use fairdeal::condition::{Condition, SCENARIOS};

fn cells(text: &str) -> Cells {
    let condition = Condition::parse("test", text).unwrap_or_else(|error| panic!("{error}"));
    Cells::new(&condition).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn totals() {
    for scenario in &SCENARIOS {
        let condition = scenario.condition();
        let clock = Instant::now();
        match Cells::new(&condition) {
            Ok(cells) => println!(
                "{} {} {} shapes {} {:?} cells {} {:?}",
                scenario.name,
                cells.cases(),
                cells.total(),
                cells.shapes(),
                clock.elapsed(),
                cells.cells(),
                clock.elapsed()
            ),
            Err(error) => println!("{} {error}", scenario.name),
        }
    }
    for text in [
        "shape(west, any 4333 + any 4432 + any 5332) && hcp(west) >= 10 && hcp(west) <= 12
  && shape(east, any 4441 + any 5440) && hcp(east) >= 11 && hcp(east) <= 15",
        "spades(south)==4 && hearts(south)==5 && hcp(south)>=11 && hcp(south)<=15 && spades(north)<=3 && hearts(north)<=2 && hcp(north)<=37",
        "shape(west, any 4333+any 4432+any 5332) && hcp(west)>=28 && hcp(west)<=30 && (spades(east)>=5 || hearts(east)>=5) && hcp(east)<=40",
        "hcp(north)>=16 && hcp(south)>=8",
        "hcp(north)+hcp(south)>=25",
        "hcp(north)>=16 && hcp(south)>=8 && spades(north)>=0 && spades(south)>=0",
        "hcp(north)>=16 && hcp(east)<=9 && hcp(south)>=8 && hcp(west)<=9",
        "hcp(north)==10 && hcp(east)==10 && hcp(south)==10 && hcp(west)==10",
        "hcp(north)>=16 && hcp(east)<=9 && hcp(south)>=8 && shape(south, any 4333+any 4432 + any 5332) && hcp(west)<=9",
        "shape(north, any 4333+any 4432 + any 5332)&&shape(east, any 4333+any 4432 + any 5332)&&shape(south, any 4333+any 4432 + any 5332)&&shape(west, any 4333+any 4432 + any 5332)",
        "shape(north, any 4333+any 4432 + any 5332)&&shape(east, any 4333+any 4432 + any 5332)&&shape(south, any 4333+any 4432 + any 5332)&&shape(west, any 4333+any 4432 + any 5332) && hcp(north)>=15 && hcp(north)<=17 && hcp(south)>=8&&hcp(south)<=9",
        "shape(north, 5332)&&shape(east, 3433)&&shape(south, 2443)&&hcp(north)==12&&hcp(east)==9&&hcp(south)==11&&hcp(west)==8",
        "loser(north)==7 && loser(south)==8",
        "loser(north)<=5 && loser(south)<=6 && loser(east)>=8",
    ] {
        let condition = Condition::parse("test", text).unwrap_or_else(|error| panic!("{error}"));
        let clock = Instant::now();
        match Cells::new(&condition) {
            Ok(cells) => println!(
                "{text} cases {} T {} shapes {} {:?} cells {} {:?}",
                cells.cases(),
                cells.total(),
                cells.shapes(),
                clock.elapsed(),
                cells.cells(),
                clock.elapsed()
            ),
            Err(error) => println!("{text} {error} {:?}", clock.elapsed()),
        }
    }
    let _ = cells;
}

#[test]
fn timing() {
    use fairdeal::cases::CaseBytes;
    use fairdeal::draw::{Aes128Ctr, Block, Dealer, Packet, Portion, Scratch};
    let generator = Aes128Ctr::new(1);
    let mut texts: Vec<(String, Condition)> = SCENARIOS
        .iter()
        .map(|s| (s.name.to_owned(), s.condition()))
        .collect();
    for text in [
        "hcp(north)>=16 && hcp(east)<=9 && hcp(south)>=8 && hcp(west)<=9",
        "hcp(north)>=16 && hcp(south)>=8 && spades(north)>=0 && spades(south)>=0",
        "shape(north, any 4333+any 4432 + any 5332)&&shape(east, any 4333+any 4432 + any 5332)&&shape(south, any 4333+any 4432 + any 5332)&&shape(west, any 4333+any 4432 + any 5332)",
        "shape(north, any 4333+any 4432 + any 5332)&&shape(east, any 4333+any 4432 + any 5332)&&shape(south, any 4333+any 4432 + any 5332)&&shape(west, any 4333+any 4432 + any 5332) && hcp(north)>=15 && hcp(north)<=17 && hcp(south)>=8&&hcp(south)<=9",
        "shape(north, 5332)&&shape(east, 3433)&&shape(south, 2443)&&hcp(north)==12&&hcp(east)==9&&hcp(south)==11&&hcp(west)==8",
        "loser(north)==7 && loser(south)==8",
    ] {
        texts.push((text.to_owned(), Condition::parse("test", text).unwrap()));
    }
    for (name, condition) in texts {
        let Ok(cells) = Cells::new(&condition) else {
            continue;
        };
        let clock = Instant::now();
        let dealer = Dealer::<CaseBytes>::of_cells(&cells).unwrap();
        let made = clock.elapsed();
        let mut scratch = Scratch::default();
        let mut wrong = 0;
        let mut times = Vec::new();
        for block in 0..40u64 {
            let portion = Portion::Block(Block {
                first_deal: block << 16,
                deals: 1 << 16,
            });
            let clock = Instant::now();
            let mut sink = |packet: &Packet| {
                if block < 1 {
                    for i in 0..packet.deals() {
                        if !condition.expression().holds(&packet.deal(i)).unwrap() {
                            wrong += 1;
                        }
                    }
                }
            };
            dealer
                .deal(&generator, &portion, &mut scratch, &mut sink)
                .unwrap();
            if block > 0 {
                times.push(clock.elapsed().as_nanos() as f64 / 65536.0);
            }
        }
        times.sort_by(f64::total_cmp);
        println!(
            "{:5.1} ns/deal, lists {:?} {} KB wrong {wrong}: {name}",
            times[times.len() / 2],
            made,
            dealer.guide_bytes() >> 10
        );
    }
}
