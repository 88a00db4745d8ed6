//! The cache of listings, configured by environment variables.

use std::env;
use std::path::PathBuf;

use fairdeal::Error;
use fairdeal::population::{DEFAULT_CACHE_LIMIT, Listings};

use super::{log, values};

/// Variable that names the cache folder.
const FOLDER: &str = "FAIRDEAL_CACHE";

/// Variable that limits the cache size.
const LIMIT: &str = "FAIRDEAL_CACHE_LIMIT";

/// Opens the cache of listings, in memory if its limit is 0 or no folder is available.
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

/// Maximum size of the cache, in bytes.
fn limit() -> Result<u64, Error> {
    let Some(text) = env::var_os(LIMIT).filter(|text| !text.is_empty()) else {
        return Ok(DEFAULT_CACHE_LIMIT);
    };
    let text = text.to_string_lossy();
    values::count_or_none(&text)
        .map_err(|wrong| Error::usage(format!("{LIMIT}: {wrong} (such as 2Gi, 500M or 0)")))
}
