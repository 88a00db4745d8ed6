//! Processes that deal one run together.
//!
//! One of them leads: it tells the others what is dealt next, and what they counted
//! comes back to it, along a tree whose depth is the logarithm of their number.

use serde::{Serialize, de::DeserializeOwned};

/// Processes that deal one run together, this one among them.
///
/// One thread at a time speaks for a process, not always the same. What is sent arrives, once, in
/// the order sent. A process that cannot send or receive ends
/// them all: there is nobody left to tell.
pub trait Team: Sync {
    /// How many there are, at least one.
    fn processes(&self) -> usize;

    /// Which of them this is, from 0; 0 leads.
    fn place(&self) -> usize;

    /// Sends bytes to another.
    fn send(&self, to: usize, bytes: &[u8]);

    /// What another has sent, once it is here.
    fn receive(&self, from: usize) -> Vec<u8>;
}

/// Bytes that another process sent are not what this one expects: it is another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("process {from} runs a different version: start the same program on every host")]
pub struct Misunderstood {
    /// Who sent them.
    pub from: usize,
}

/// Tells everybody what the leader says; everybody has to ask, and `said` counts
/// with the leader alone.
///
/// # Errors
///
/// [`Misunderstood`] if that is something else.
pub fn tell<T: Serialize + DeserializeOwned>(
    team: &dyn Team,
    said: Option<T>,
) -> Result<T, Misunderstood> {
    let (processes, place) = (team.processes(), team.place());
    let mut bytes = said.as_ref().map(encode).unwrap_or_default();
    // Who has heard tells those at half the distance, a quarter ..
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

/// Merges what everybody has, in pairs; gives the leader the whole, and the others `None`.
/// `heard` is told of the bytes that came.
///
/// # Errors
///
/// [`Misunderstood`] if somebody sent something else.
pub fn gather<T: Serialize + DeserializeOwned>(
    team: &dyn Team,
    mut mine: T,
    merge: impl Fn(&mut T, T),
    mut heard: impl FnMut(usize),
) -> Result<Option<T>, Misunderstood> {
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

fn decode<T: DeserializeOwned>(bytes: &[u8], from: usize) -> Result<T, Misunderstood> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        _ => Err(Misunderstood { from }),
    }
}
