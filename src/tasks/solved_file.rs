//! The file of a run whose deals are solved: Pavlicek's `.zrd`, written at its end.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::Prepared;
use super::deal_files::{DealFiles, FileDeal, read_deals};
use crate::bridge::TrickTable;
use crate::error::{Error, Remedy};
use crate::formats::{Board, Format, Writer};
use crate::language::{DealContext, Expression, Script};
use crate::observer::Silent;
use crate::population::cases::CaseBytes;
use crate::printable::display_path;
use crate::regular_file;
use crate::run::{DealStream, hold};

/// Size of a deal in the file: 52 seats of two bits, and the tricks.
const DEAL_BYTES: u64 = 13 + TrickTable::BYTES as u64;

/// A file of solved deals that is open for writing.
pub(super) struct SolvedFile {
    path: PathBuf,
    file: File,
    deals: u64,
    /// Deals that are not yet written.
    waiting: Vec<u8>,
}

impl SolvedFile {
    /// Opens a file, creating it if it is missing. Cuts off part of a deal at its end, which a
    /// killed process may have left.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let open = || -> io::Result<(File, u64)> {
            let file = regular_file::open(path, OpenOptions::new().create(true).append(true))?;
            let bytes = file.metadata()?.len();
            if bytes % DEAL_BYTES != 0 {
                file.set_len(bytes - bytes % DEAL_BYTES)?;
            }
            Ok((file, bytes / DEAL_BYTES))
        };
        let (file, deals) = open().map_err(|error| not_written(path, error))?;
        Ok(Self {
            path: path.to_owned(),
            file,
            deals,
            waiting: Vec::new(),
        })
    }

    /// Number of deals in the file.
    pub(super) fn deals(&self) -> u64 {
        self.deals
    }

    /// Leaves out the deals of the stream that are in the file. Returns how many of them satisfy
    /// these terms of the script.
    pub(super) fn go_on(
        &self,
        stream: &mut DealStream<'_, CaseBytes>,
        prepared: &Prepared,
        script: &Script,
        terms: &[Expression],
    ) -> Result<u64, Error> {
        if self.deals == 0 {
            return Ok(0);
        }
        let solved = DealFiles {
            files: vec![self.path.clone()],
            format: Some(Format::Zrd),
            is_partly_solved: true,
            ..DealFiles::default()
        };
        let every_deal = Script::parse("every deal", "1")?;
        let mut kept = 0;
        read_deals(&every_deal, &solved, &Silent, &mut |found: FileDeal| {
            let deal = &found.dealt;
            let drawn = stream.next_deal();
            let drawn = drawn.map_err(|error| error.of(&prepared.population))?;
            if drawn.map(|drawn| drawn.deal) != Some(deal.deal) {
                let message = format!("{} has other deals than this run", display_path(&self.path));
                return Err(Error::input(message).with_remedy(Remedy::StartAgain));
            }
            let holds = hold(terms, deal);
            let holds = holds.map_err(|error| script.condition.evaluation_error(&error))?;
            kept += u64::from(holds);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(kept)
    }

    /// Adds a solved deal.
    pub(super) fn add(&mut self, deal: &DealContext) -> Result<(), Error> {
        let mut board = Board::new(self.deals + 1, deal.deal);
        board.tricks = deal.tricks;
        let mut writer = Writer::new(&mut self.waiting, Format::Zrd, 1, "")?;
        writer.write(&board)?;
        writer.finish()?;
        self.deals += 1;
        Ok(())
    }

    /// Writes the deals so far to the disk.
    pub(super) fn sync(&mut self) -> Result<(), Error> {
        let (file, waiting) = (&mut self.file, &self.waiting);
        let written = file.write_all(waiting).and_then(|()| file.sync_data());
        written.map_err(|error| not_written(&self.path, error))?;
        self.waiting.clear();
        Ok(())
    }
}

fn not_written(path: &Path, error: io::Error) -> Error {
    Error::io(error).context(format!("{} cannot be written", display_path(path)))
}
