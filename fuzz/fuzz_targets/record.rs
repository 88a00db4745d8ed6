//! Any bytes as the records of earlier runs: either an error, or a record that is unchanged after
//! it is written and read again.
#![no_main]

use fairdeal::report::{AuditIdentity, AuditRecord, Identity, RunRecord, Sample, TheoryRecord};
use libfuzzer_sys::fuzz_target;
use serde::Serialize;
use serde::de::DeserializeOwned;

fuzz_target!(|data: &[u8]| {
    is_kept::<RunRecord>(data);
    is_kept::<AuditRecord>(data);
    is_kept::<TheoryRecord>(data);
    is_kept::<Identity>(data);
    is_kept::<AuditIdentity>(data);
    is_kept::<Sample>(data);
});

fn is_kept<T: Serialize + DeserializeOwned>(data: &[u8]) {
    let Ok(record) = serde_json::from_slice::<T>(data) else {
        return;
    };
    let written = serde_json::to_string_pretty(&record).expect("records have plain fields");
    let again: T = match serde_json::from_str(&written) {
        Ok(again) => again,
        Err(error) => panic!("{error}: {written}"),
    };
    let again = serde_json::to_string_pretty(&again).expect("records have plain fields");
    assert_eq!(again, written);
}
