//! Turns: by how many seats the hands of a board move.

use super::{BLOCK_DEALS, Generator, RandomStream, StreamId, StreamPurpose, WordsError};

/// How the hands of a set move from board to board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// One seat further clockwise with each board.
    Board,
    /// By a random number of seats.
    Random,
    /// To partner's seat, both sides at once, on every second board.
    PartnerBoard,
    /// To partner's seat or not, at random.
    PartnerRandom,
}

impl Rotation {
    /// All rotations, with their names and descriptions.
    pub const ALL: [(&'static str, &'static str, Self); 4] = [
        (
            "board",
            "One seat further with each board: north's hand goes to the dealer by board number",
            Self::Board,
        ),
        (
            "random",
            "To any of the four seats, at random",
            Self::Random,
        ),
        (
            "partner-board",
            "To the partner's seat on every second board",
            Self::PartnerBoard,
        ),
        (
            "partner-random",
            "To the partner's seat or not, at random",
            Self::PartnerRandom,
        ),
    ];

    /// Whether each board moves by a random number of steps, or by one step more than the board
    /// before.
    pub fn is_random(self) -> bool {
        matches!(self, Self::Random | Self::PartnerRandom)
    }
}

/// The turns of boards in their order.
#[derive(Debug)]
pub struct Turns<'g> {
    rotation: Rotation,
    generator: &'g dyn Generator,
    /// The stream of the current block of boards.
    stream: Option<RandomStream<'g>>,
    /// Number of boards so far.
    boards: u64,
}

impl<'g> Turns<'g> {
    /// The turns of this rotation, before the first board.
    pub fn new(rotation: Rotation, generator: &'g dyn Generator) -> Self {
        Self {
            rotation,
            generator,
            stream: None,
            boards: 0,
        }
    }

    /// Returns the number of seats, 0..4, by which the next board's hands move clockwise.
    ///
    /// Random turns are uniform and independent, from streams of their own. Otherwise board 1 does
    /// not move, and with steps of one seat the first hand is always the dealer's.
    ///
    /// # Errors
    ///
    /// [`WordsError`] if the random words end.
    pub fn next(&mut self, board: u64) -> Result<usize, WordsError> {
        let steps = match self.rotation.is_random() {
            true => self.random()?,
            false => board.wrapping_sub(1),
        };
        self.boards += 1;
        Ok(match self.rotation {
            Rotation::Board | Rotation::Random => (steps % 4) as usize,
            Rotation::PartnerBoard | Rotation::PartnerRandom => 2 * (steps % 2) as usize,
        })
    }

    /// A number of two random bits.
    fn random(&mut self) -> Result<u64, WordsError> {
        if self.boards.is_multiple_of(BLOCK_DEALS) {
            let id = StreamId::new(self.boards, StreamPurpose::Turns, 0);
            self.stream = Some(RandomStream::new(self.generator, id));
        }
        let stream = self
            .stream
            .as_mut()
            .expect("the first board begins a block");
        Ok(stream.next_u64()? >> 62)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Aes128Ctr;

    fn turns(rotation: Rotation, boards: u64) -> Vec<usize> {
        let generator = Aes128Ctr::new(7);
        let mut turns = Turns::new(rotation, &generator);
        (1..=boards)
            .map(|board| turns.next(board).unwrap())
            .collect()
    }

    #[test]
    fn boards_turn_one_by_one() {
        assert_eq!(turns(Rotation::Board, 6), [0, 1, 2, 3, 0, 1]);
        assert_eq!(turns(Rotation::PartnerBoard, 4), [0, 2, 0, 2]);
    }

    #[test]
    fn random_turns_are_uniform_and_those_of_a_longer_set() {
        let boards = 2 * BLOCK_DEALS + 1000;
        for (rotation, sides) in [(Rotation::Random, 4), (Rotation::PartnerRandom, 2)] {
            let all = turns(rotation, boards);
            for turn in (0..4).step_by(4 / sides) {
                let count = all.iter().filter(|&&found| found == turn).count() as f64;
                let expected = boards as f64 / sides as f64;
                assert!((count - expected).abs() < 5.0 * expected.sqrt(), "{count}");
            }
            let counted = (0..4).filter(|turn| all.contains(turn)).count();
            assert_eq!(counted, sides);
            assert_eq!(turns(rotation, 1000), all[..1000]);
        }
        // The blocks have different streams.
        let all = turns(Rotation::Random, boards);
        let block = BLOCK_DEALS as usize;
        assert_ne!(all[..1000], all[block..block + 1000]);
    }
}
