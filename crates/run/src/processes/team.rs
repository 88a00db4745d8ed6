//! Processes that deal one run together.
//!
//! Process 0 leads: it tells the others the next turn, and their counts return to it along a tree.
//! The depth of the tree is the logarithm of the number of processes.

use serde::{Serialize, de::DeserializeOwned};

/// Processes that deal one run together, including this one.
///
/// Only one thread at a time communicates for a process, not always the same. Messages arrive once
/// and in order. A process that cannot send or receive ends all processes, because it could not
/// report an error.
pub trait Team: Sync {
    /// Number of processes, at least one.
    fn processes(&self) -> usize;

    /// Number of this process, from 0; 0 leads.
    fn place(&self) -> usize;

    /// Sends bytes to another process.
    fn send(&self, to: usize, bytes: &[u8]);

    /// Waits for a message from another process.
    fn receive(&self, from: usize) -> Vec<u8>;
}

/// Error: a message is not in the expected format, so its sender is a different version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("process {from} runs a different version: start the same program on every host")]
pub struct ProtocolError {
    /// The sender.
    pub from: usize,
}

/// Sends the leader's message to all. Every process must call this; only the leader's `said` is
/// used.
///
/// # Errors
///
/// [`ProtocolError`] if the message is not a `T`.
pub fn broadcast<T: Serialize + DeserializeOwned>(
    team: &dyn Team,
    said: Option<T>,
) -> Result<T, ProtocolError> {
    let (processes, place) = (team.processes(), team.place());
    let mut bytes = said.as_ref().map(encode).unwrap_or_default();
    // Each process passes the message to those at half the distance, a quarter of it, and so on.
    let mut distance = 1;
    let mut from = place;
    while distance < processes {
        if place & distance != 0 {
            from = place - distance;
            bytes = team.receive(from);
            break;
        }
        distance *= 2;
    }
    while distance > 1 {
        distance /= 2;
        if place + distance < processes {
            team.send(place + distance, &bytes);
        }
    }
    match said {
        Some(said) => Ok(said),
        None => decode(&bytes, from),
    }
}

/// Merges the values of all processes in pairs. Returns the result to the leader, and `None` to the
/// others. `heard` receives the size of each message.
///
/// # Errors
///
/// [`ProtocolError`] if a process sent something else.
pub fn reduce<T: Serialize + DeserializeOwned>(
    team: &dyn Team,
    mut mine: T,
    merge: impl Fn(&mut T, T),
    mut heard: impl FnMut(usize),
) -> Result<Option<T>, ProtocolError> {
    let (processes, place) = (team.processes(), team.place());
    let mut distance = 1;
    while distance < processes {
        if place & distance != 0 {
            team.send(place - distance, &encode(&mine));
            return Ok(None);
        }
        let from = place + distance;
        if from < processes {
            let bytes = team.receive(from);
            heard(bytes.len());
            merge(&mut mine, decode(&bytes, from)?);
        }
        distance *= 2;
    }
    Ok(Some(mine))
}

fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_stdvec(value)
        .expect("what is sent has plain fields of known lengths, and memory takes all")
}

fn decode<T: DeserializeOwned>(bytes: &[u8], from: usize) -> Result<T, ProtocolError> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        _ => Err(ProtocolError { from }),
    }
}
