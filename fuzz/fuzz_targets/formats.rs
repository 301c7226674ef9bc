//! Any bytes as any input format: never a panic, and an error says where and what to do.
//!
//! The first byte is the place of the format in the registry; beyond its end the format
//! is found by content.

#![no_main]

use libfuzzer_sys::fuzz_target;
use patchodds::data::Values;
use patchodds::formats::{FORMATS, Options, read_bytes};

fuzz_target!(|data: &[u8]| {
    let Some((place, bytes)) = data.split_first() else { return };
    let format = FORMATS.get(usize::from(*place)).copied();
    match read_bytes("x", bytes.to_vec(), format, &Options::default()) {
        Ok(reading) => {
            for record in &reading.records {
                if let Values::Runs(runs) = &record.values {
                    let mut all = runs.invocations.iter().flatten();
                    assert!(all.all(|run| run.is_finite()), "{record:?}");
                }
            }
        }
        Err(error) => {
            assert!(error.place().is_some(), "no place: {error}");
            assert!(error.hint().is_some(), "no hint: {error}");
        }
    }
});
