//! Drawing deals: from every deal there is, or from a case file.

use std::ops::Range;

use super::bounded::below_u64;
use super::complete::{self, DamagedCase};
use super::filling::{Filling, FillingWords};
use super::guide::Guide;
use super::portion::{Block, Node, blocks};
use super::staged::{self, Halves};
use super::uniform::Part;
use super::{Generator, Purpose, Stream, StreamId, WordsError};
use crate::cards::{Deal, Hand, Seat};
use crate::cases::{Case, CaseFile};
use crate::kernels::{self, CHUNK, ListedHands, PACKET, Packet, Path, Wanted};

/// Deals that cannot be drawn.
#[derive(Clone, Debug, thiserror::Error)]
pub enum DrawError {
    /// The case file was altered after it was opened.
    #[error(transparent)]
    Damaged(#[from] DamagedCase),
    /// The random words ended or could not be read.
    #[error(transparent)]
    Words(#[from] WordsError),
    /// A block is dealt from cases, or a part of a split without any.
    #[error("the portion is another dealer's")]
    Portion,
    /// There are more cases than records have numbers of 32 bits, or none.
    #[error("no deal can be drawn from {0} cases")]
    Cases(u64),
}

/// In how many ways the seats that are not listed can be dealt the rest:
/// C(26,13) beside two listed hands, C(39,13) C(26,13) beside one.
#[must_use]
pub fn completions(second: Option<Seat>) -> u64 {
    complete::completions_of(if second.is_some() { 26 } else { 39 })
}

/// What one worker deals at a time, with streams of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Portion {
    /// Deals in their true order.
    Block(Block),
    /// Draws from the cases of one part of the way to T, in order.
    Node(Node),
}

impl Portion {
    /// Number of deals.
    #[must_use]
    pub fn deals(&self) -> u64 {
        match self {
            Self::Block(block) => block.deals,
            Self::Node(node) => node.draws(),
        }
    }
}

/// Deals exactly uniformly what a condition allows.
#[derive(Debug)]
pub struct Dealer<'f, D> {
    path: Path,
    cases: Option<Cases<'f, D>>,
}

#[derive(Debug)]
struct Cases<'f, D> {
    file: &'f CaseFile<D>,
    guide: Guide,
    filling: Filling,
}

/// What a worker keeps from packet to packet.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    packet: Packet,
    wanted: Wanted,
    hands: ListedHands,
    halves: Halves,
}

impl<D> Dealer<'_, D> {
    /// A dealer of every deal.
    #[must_use]
    pub fn unconstrained() -> Self {
        Self {
            path: Path::chosen(),
            cases: None,
        }
    }

    /// The same deals by these instructions.
    #[must_use]
    pub fn with_path(mut self, path: Path) -> Self {
        self.path = path;
        self
    }

    /// By which instructions it deals.
    #[must_use]
    pub fn path(&self) -> Path {
        self.path
    }

    /// Bytes that the dealer keeps in memory beside the file.
    #[must_use]
    pub fn guide_bytes(&self) -> usize {
        self.cases.as_ref().map_or(0, |cases| cases.guide.bytes())
    }
}

impl<'f, D: AsRef<[u8]> + Sync> Dealer<'f, D> {
    /// A dealer of the file's deals, made ready for about so many.
    ///
    /// # Errors
    ///
    /// [`DrawError`] if the file has no cases or too many, or its first is damaged.
    pub fn of_cases(file: &'f CaseFile<D>, deals: u64) -> Result<Self, DrawError> {
        // Numbers beyond the last total would have no case, or totals no number.
        let last = file.records().last().map(|record| record.total());
        if last != Some(file.total()) {
            return Err(DamagedCase::Totals.into());
        }
        Ok(Self {
            path: Path::chosen(),
            cases: Some(Cases {
                file,
                guide: Guide::new(file, deals)?,
                filling: Filling::new(file)?,
            }),
        })
    }

    /// What the workers are to deal of a batch, which together is all of it.
    ///
    /// # Errors
    ///
    /// [`WordsError`] where words are read and not computed.
    pub fn portions(
        &self,
        generator: &dyn Generator,
        batch: Range<u64>,
    ) -> Result<Vec<Portion>, WordsError> {
        Ok(match &self.cases {
            None => blocks(batch).map(Portion::Block).collect(),
            Some(_) => {
                let nodes = Node::root(&batch).portions(generator)?;
                nodes.into_iter().map(Portion::Node).collect()
            }
        })
    }

    /// Deals a portion, a packet at a time.
    ///
    /// # Errors
    ///
    /// [`DrawError`] if the case file was altered, or the words ended.
    pub fn deal(
        &self,
        generator: &dyn Generator,
        portion: &Portion,
        scratch: &mut Scratch,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DrawError> {
        match (portion, &self.cases) {
            (Portion::Block(block), None) => {
                let stream = |purpose| generator.words(StreamId::new(block.first_deal, purpose, 0));
                let (mut sides, mut halves) = (stream(Purpose::Sides), stream(Purpose::Halves));
                let (deals, packet) = (block.deals, &mut scratch.packet);
                staged::deal_block(self.path, deals, &mut *sides, &mut *halves, packet, sink)?;
                Ok(())
            }
            (Portion::Node(node), Some(cases)) => {
                cases.deal_node(self.path, generator, *node, scratch, sink)
            }
            _ => Err(DrawError::Portion),
        }
    }

    /// The deals of a batch in random order.
    ///
    /// Every deal of a run comes in an order that says nothing of the cases: for
    /// people and programs that read them one after the other.
    ///
    /// # Errors
    ///
    /// As [`Dealer::deal`].
    pub fn in_random_order(
        &self,
        generator: &dyn Generator,
        batch: Range<u64>,
    ) -> Result<Vec<Deal>, DrawError> {
        let first_deal = batch.start;
        let mut deals = Vec::with_capacity((batch.end - batch.start) as usize);
        let mut scratch = Scratch::default();
        for portion in self.portions(generator, batch)? {
            self.deal(generator, &portion, &mut scratch, &mut |packet| {
                deals.extend((0..packet.deals).map(|i| packet.deal(i)));
            })?;
        }
        if self.cases.is_some() {
            let id = StreamId::new(first_deal, Purpose::Order, 0);
            let mut stream = Stream::new(generator, id);
            for last in (1..deals.len()).rev() {
                let chosen = below_u64(|| stream.next_u64(), last as u64 + 1)?;
                deals.swap(last, chosen as usize);
            }
        }
        Ok(deals)
    }
}

impl<D: AsRef<[u8]>> Cases<'_, D> {
    fn deal_node(
        &self,
        path: Path,
        generator: &dyn Generator,
        node: Node,
        scratch: &mut Scratch,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DrawError> {
        if node.draws() == 0 {
            return Ok(());
        }
        if node.is_leaf() {
            return self.deal_leaf(path, generator, node, scratch, sink);
        }
        for half in node.halves(generator)? {
            self.deal_node(path, generator, half, scratch, sink)?;
        }
        Ok(())
    }

    fn deal_leaf(
        &self,
        path: Path,
        generator: &dyn Generator,
        leaf: Node,
        scratch: &mut Scratch,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DrawError> {
        let mut numbers = generator.words(leaf.stream(Purpose::Numbers));
        let mut halves = generator.words(leaf.stream(Purpose::Halves));
        let mut words = FillingWords::of_leaf(generator, &leaf);
        let part = Part::new(self.file.total(), leaf.depth(), leaf.index());
        self.fetch_ahead(&leaf);
        scratch.halves.clear();
        let mut left = leaf.draws();
        while left > 0 {
            let draws = left.min(PACKET as u64) as usize;
            left -= draws as u64;
            let mut places = [0; CHUNK];
            numbers.fill(&mut places)?;
            let mut cases = [0; PACKET];
            self.find(
                path,
                draws,
                (&part, &leaf),
                &places,
                &mut words,
                &mut scratch.wanted,
                &mut cases,
            )?;
            let hands = &mut scratch.hands;
            self.filling.fill(path, draws, &cases, &mut words, hands)?;
            let packet = &mut scratch.packet;
            let mut rest = [0; PACKET];
            for ((rest, lead), follow) in rest.iter_mut().zip(&hands.lead).zip(&hands.follow) {
                *rest = Hand::DECK.bits() & !(lead | follow);
            }
            let mut third = [0; PACKET];
            let split = &mut scratch.halves;
            split.split(draws, path, &mut *halves, &rest, &mut third)?;
            packet.deals = draws;
            packet.seat(self.filling.seats, [&hands.lead, &hands.follow, &third]);
            packet.clear_rest();
            sink(packet);
        }
        Ok(())
    }

    /// Asks for all records of a leaf in their order, if there are few for its draws.
    fn fetch_ahead(&self, leaf: &Node) {
        let (start, _) = self.guide.range(leaf.depth(), leaf.index(), 0);
        let (_, end) = self.guide.range(leaf.depth(), leaf.index(), u64::MAX);
        if u64::from(end.saturating_sub(start)) <= 4 * leaf.draws() {
            for place in (start..=end).step_by(4) {
                kernels::prefetch(self.file.records(), place as usize);
            }
        }
    }

    /// The upper halves of the records that the numbers of a leaf select.
    #[expect(
        clippy::too_many_arguments,
        reason = "one step of a leaf, cut out to be read"
    )]
    fn find(
        &self,
        path: Path,
        draws: usize,
        (part, leaf): (&Part, &Node),
        places: &[u64; CHUNK],
        words: &mut FillingWords<'_>,
        wanted: &mut Wanted,
        cases: &mut [u64; PACKET],
    ) -> Result<(), DrawError> {
        const { assert!(CHUNK == PACKET) };
        let records = self.file.records();
        let more = &mut || words.more();
        let mut large = [0; PACKET];
        wanted.draws = draws;
        if part.fits() {
            part.numbers(draws, places, &mut wanted.numbers, more)?;
        } else {
            for (number, places) in large.iter_mut().zip(places).take(draws) {
                *number = part.number(*places, more)?;
            }
        }
        let ranges = wanted.starts.iter_mut().zip(&mut wanted.ends);
        for ((start, end), places) in ranges.zip(places).take(draws) {
            (*start, *end) = self.guide.range(leaf.depth(), leaf.index(), *places);
            // Most ranges are one or two lines of four records.
            kernels::prefetch(records, *start as usize);
            kernels::prefetch(records, *end as usize);
        }
        let mut found = [0; PACKET];
        if part.fits() {
            kernels::locate(path, bytemuck::cast_slice(records), wanted, &mut found);
        } else {
            for i in 0..draws {
                let (start, end) = (wanted.starts[i], wanted.ends[i]);
                let near = records
                    .get(start as usize..end as usize)
                    .unwrap_or_default();
                let place = near.partition_point(|record| record.total() <= large[i]);
                found[i] = start + place as u32;
            }
        }
        for (case, found) in cases.iter_mut().zip(&found).take(draws) {
            let record = records.get(*found as usize).ok_or(DamagedCase::Weight)?;
            *case = record.hands_bits();
        }
        Ok(())
    }
}

impl Packet {
    /// One of the deals, from 0.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    #[must_use]
    pub fn deal(&self, place: usize) -> Deal {
        assert!(place < self.deals, "a packet has {} deals", self.deals);
        let [both, north, east] = [&self.north_south, &self.north, &self.east]
            .map(|column| Hand::from_bits(column[place]));
        let west = Hand::DECK.without(both).without(east);
        Deal::by_construction([north, east, both.without(north), west])
    }

    /// Number of deals, at most 128.
    #[must_use]
    pub fn deals(&self) -> usize {
        self.deals
    }

    /// Empties the columns beyond the deals.
    pub(super) fn clear_rest(&mut self) {
        for column in [&mut self.north_south, &mut self.north, &mut self.east] {
            column[self.deals..].fill(0);
        }
    }

    /// Gives three hands of every deal to these seats, and the rest to the fourth.
    fn seat(&mut self, seats: [Seat; 3], hands: [&[u64; PACKET]; 3]) {
        let place_of = |seat: Seat| seats.iter().position(|&other| other == seat);
        let hand_of = |seat: Seat| place_of(seat).map(|place| hands[place]);
        let rest = |column: &mut [u64; PACKET]| {
            for i in 0..PACKET {
                column[i] = Hand::DECK.bits() & !(hands[0][i] | hands[1][i] | hands[2][i]);
            }
        };
        for (column, seat) in [(&mut self.north, Seat::North), (&mut self.east, Seat::East)] {
            match hand_of(seat) {
                Some(hands) => *column = *hands,
                None => rest(column),
            }
        }
        match hand_of(Seat::South) {
            Some(south) => self.north_south = *south,
            None => rest(&mut self.north_south),
        }
        for (both, north) in self.north_south.iter_mut().zip(&self.north) {
            *both |= north;
        }
    }
}

/// The deal of a number below T and a number below the completions, the fast
/// way; `index` is [`CaseFile::load_index`]'s.
///
/// # Errors
///
/// [`DamagedCase`] if either number is too large, or the file was altered since
/// it was opened.
pub fn deal_of_number<D: AsRef<[u8]>>(
    file: &CaseFile<D>,
    index: &[u128],
    number: u128,
    completion: u64,
) -> Result<Deal, DamagedCase> {
    let found = file.locate(index, number);
    let found = found.ok_or(DamagedCase::NoCase(number))?;
    // A weight fits in 64 bits, so one that does not is damage.
    let weight = u64::try_from(found.weight).map_err(|_| DamagedCase::Weight)?;
    let seats = (file.header().first, file.header().second);
    if completion >= completions(seats.1) {
        return Err(DamagedCase::NoCompletion(completion));
    }
    deal_of(
        found.record.case()?,
        seats,
        (found.rest as u64, weight),
        completion,
    )
}

/// The deal of a case, a number below its weight and a number below the completions.
fn deal_of(
    case: Case,
    (first, second): (Seat, Option<Seat>),
    (rest, weight): (u64, u64),
    completion: u64,
) -> Result<Deal, DamagedCase> {
    let filled = complete::listed_hands(case, rest, weight)?;
    let mut hands = [Hand::EMPTY; 4];
    let mut listed = [false; 4];
    for (seat, hand) in [Some(first), second].into_iter().flatten().zip(filled) {
        if hand.len() != 13 {
            return Err(DamagedCase::Weight);
        }
        hands[seat.index()] = hand;
        listed[seat.index()] = true;
    }
    complete::remaining_hands(hands, listed, completion)
}
