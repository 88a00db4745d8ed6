//! Ways in groups, from which numbers select.

/// Ways in groups: a number below the ways of a group selects one of its items.
#[derive(Debug)]
pub(super) struct WayGroups<T> {
    /// The start of each group, and the end of the last.
    starts: Vec<u32>,
    /// The ways of a group up to and including each item, and the item.
    items: Vec<(u64, T)>,
}

impl<T: Copy> WayGroups<T> {
    /// Arranges items by group, from 0 on; each has its group and its ways.
    pub(super) fn new(mut all: Vec<(u32, u64, T)>) -> Self {
        all.sort_by_key(|(group, ..)| *group);
        let mut groups = Self::with_capacity(all.len());
        for of_group in all.chunk_by(|one, other| one.0 == other.0) {
            let items = of_group.iter().map(|(_, ways, item)| (*ways, *item));
            groups.push(of_group[0].0, items);
        }
        groups
    }

    /// No groups yet, and room for this many items.
    pub(super) fn with_capacity(items: usize) -> Self {
        let items = Vec::with_capacity(items);
        Self {
            starts: vec![0],
            items,
        }
    }

    /// Adds a group after those that are there, and returns its ways. Groups between are empty.
    pub(super) fn push(&mut self, group: u32, items: impl Iterator<Item = (u64, T)>) -> u64 {
        self.starts
            .resize(group as usize + 1, self.items.len() as u32);
        let mut upto = 0;
        self.items.extend(items.map(|(ways, item)| {
            upto += ways;
            (upto, item)
        }));
        self.starts.push(self.items.len() as u32);
        upto
    }

    /// Gives back the room that no item has taken.
    pub(super) fn shrink(&mut self) {
        self.items.shrink_to_fit();
    }

    fn of_group(&self, group: u32) -> &[(u64, T)] {
        let [from, to] = [0, 1].map(|after| self.starts.get(group as usize + after).copied());
        let items = from
            .zip(to)
            .and_then(|(from, to)| self.items.get(from as usize..to as usize));
        items.unwrap_or_default()
    }

    /// The ways of a group.
    #[inline]
    pub(super) fn ways(&self, group: u32) -> u64 {
        self.of_group(group).last().map_or(0, |(upto, _)| *upto)
    }

    /// The item of a group that a number selects, and what the number exceeds the items before it
    /// by; `None` from the ways of the group on.
    #[inline]
    pub(super) fn select(&self, group: u32, number: u64) -> Option<(T, u64)> {
        let items = self.of_group(group);
        let place = items.partition_point(|(upto, _)| *upto <= number);
        let before = place.checked_sub(1).map_or(0, |last| items[last].0);
        let (_, item) = items.get(place)?;
        Some((*item, number - before))
    }
}
