//! Deals of a script with a mix.

use fairdeal::Error;
use fairdeal::draw::{Aes128Ctr, Shares, TypeNumbers};
use fairdeal::filter::Filter;
use fairdeal::language::{Mix, Script};
use fairdeal::population::Listings;
use fairdeal::run::{DealStream, StreamStep};
use fairdeal::sampler::{Need, Sampling};
use fairdeal::tasks::{ConditionInput, Prepared};
use fairdeal::threads::on_workers;

use crate::stream::{gave_up, streams_of_type};
use crate::work::Watch;

/// A request for deals of a mix.
#[derive(Clone, Debug)]
pub(crate) struct MixRequest {
    pub(crate) script: Script,
    pub(crate) deals: u64,
    pub(crate) seed: u128,
    pub(crate) shares: Shares,
    pub(crate) sampling: Sampling,
}

impl MixRequest {
    /// Gives each deal and the number of its type to `give`, until that returns false or the work
    /// is stopped. The deals are those of `fairdeal deal` with the same seed.
    pub(crate) fn deal(
        &self,
        watch: &Watch,
        give: &mut dyn FnMut(fairdeal::Deal, u8) -> bool,
    ) -> Result<(), Error> {
        let Some(mix) = &self.script.mix else {
            return Err(Error::usage("the condition has no mix"));
        };
        let generator = Aes128Ctr::new(self.seed);
        let numbers = TypeNumbers::new(mix, self.deals, self.shares, &generator)?;
        let (mut order, most) = (numbers.order(&generator), numbers.most());
        let prepared = on_workers(None, || self.prepared(mix, most, watch))?;
        let words: Vec<_> = (0..prepared.len())
            .map(|place| streams_of_type(&generator, place))
            .collect();
        let dealers = on_workers(None, || {
            let dealers = prepared.iter().zip(most);
            let dealers = dealers.map(|(of, most)| of.dealer(*most));
            dealers.collect::<Result<Vec<_>, Error>>()
        })?;
        let streams = prepared.iter().zip(&dealers).zip(&words);
        let mut streams: Vec<DealStream<'_, '_, _>> = streams
            .map(|((of, dealer), words)| {
                let filter = Filter::of(&of.population);
                DealStream::new(dealer, words, filter, u64::MAX).with_draws(of.script.has_draws())
            })
            .collect();
        for _ in 0..self.deals {
            let Some(place) = order.next_type()? else {
                break;
            };
            let stream = &mut streams[place];
            let deal = loop {
                if watch.is_stopped() {
                    return Ok(());
                }
                let step = stream.step();
                match step.map_err(|error| error.of(&prepared[place].population))? {
                    StreamStep::Deal(deal) => break deal,
                    StreamStep::Searching => {}
                    StreamStep::End => {
                        let name = &mix.types()[place].name;
                        return Err(gave_up(stream.misses()).context(format!("type `{name}`")));
                    }
                }
            };
            if !give(deal, place as u8) {
                break;
            }
        }
        Ok(())
    }

    fn prepared(&self, mix: &Mix, most: &[u64], watch: &Watch) -> Result<Vec<Prepared>, Error> {
        let listings = Listings::in_memory();
        let types = mix.types().iter().zip(most).enumerate();
        let types = types.map(|(place, (of, &most))| {
            let input = ConditionInput::Script(Box::new(self.script.of_type(place)?));
            let need = |script: &Script| Need::boards(most, script.generate);
            let prepared = Prepared::new(input, &self.sampling, need, &listings, watch);
            prepared.map_err(|error| error.context(format!("type `{}`", of.name)))
        });
        types.collect()
    }
}
