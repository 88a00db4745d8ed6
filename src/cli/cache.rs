//! The cache of listings, by the environment.

use std::env;
use std::path::PathBuf;

use fairdeal::Error;
use fairdeal::population::{DEFAULT_CACHE_LIMIT, Listings};

use super::{log, values};

/// The variable that names the cache folder.
const FOLDER: &str = "FAIRDEAL_CACHE";

/// The variable that limits its size.
const LIMIT: &str = "FAIRDEAL_CACHE_LIMIT";

/// Listings in the cache: in memory if its limit is 0, or if the user has no folder for it.
pub(super) fn listings() -> Result<Listings, Error> {
    let limit = limit()?;
    if limit == 0 {
        return Ok(Listings::in_memory());
    }
    let folder = env::var_os(FOLDER).filter(|folder| !folder.is_empty());
    let listings = match folder {
        Some(folder) => Ok(Listings::in_folder(PathBuf::from(folder))),
        None => Listings::of_user(),
    };
    match listings {
        Ok(listings) => Ok(listings.limited(limit)),
        Err(error) => {
            log::warning(format!(
                "no cache folder ({error}); conditions are listed in memory (set {FOLDER} to a \
                 folder that can be written)"
            ))?;
            Ok(Listings::in_memory())
        }
    }
}

/// Most bytes of the cache.
fn limit() -> Result<u64, Error> {
    let Some(text) = env::var_os(LIMIT).filter(|text| !text.is_empty()) else {
        return Ok(DEFAULT_CACHE_LIMIT);
    };
    let text = text.to_string_lossy();
    values::count_or_none(&text)
        .map_err(|wrong| Error::usage(format!("{LIMIT}: {wrong} (such as 2Gi, 500M or 0)")))
}
