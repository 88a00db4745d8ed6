//! A team of threads in place of MPI processes.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

use fairdeal::run::Team;

/// One of them.
pub(crate) struct Member {
    place: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Mutex<Receiver<Vec<u8>>>>,
}

impl Team for Member {
    fn processes(&self) -> usize {
        self.to.len()
    }

    fn place(&self) -> usize {
        self.place
    }

    fn send(&self, to: usize, bytes: &[u8]) {
        self.to[to].send(bytes.to_owned()).unwrap();
    }

    fn receive(&self, from: usize) -> Vec<u8> {
        self.from[from].lock().unwrap().recv().unwrap()
    }
}

/// So many.
pub(crate) fn team(processes: usize) -> Vec<Member> {
    let mut members: Vec<Member> = (0..processes)
        .map(|place| Member {
            place,
            to: Vec::new(),
            from: Vec::new(),
        })
        .collect();
    for from in 0..processes {
        for to in 0..processes {
            let (sender, receiver) = channel();
            members[from].to.push(sender);
            members[to].from.push(Mutex::new(receiver));
        }
    }
    members
}

/// What each of them comes to.
pub(crate) fn each<T: Send>(processes: usize, work: impl Fn(&Member) -> T + Sync) -> Vec<T> {
    let work = &work;
    std::thread::scope(|scope| {
        let members = team(processes).into_iter();
        let threads: Vec<_> = members
            .map(|member| scope.spawn(move || work(&member)))
            .collect();
        let results = threads.into_iter();
        results.map(|thread| thread.join().unwrap()).collect()
    })
}
