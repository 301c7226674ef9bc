//! What the input was, to the bit.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader};

use sha2::{Digest, Sha256};

use crate::analysis::Analysis;

/// Every file that values came from, with the SHA-256 of its bytes (FIPS 180-4) in
/// hexadecimal; what is no file, such as standard input, has none.
pub(super) fn digests(analysis: &Analysis) -> Vec<(String, String)> {
    let variants =
        analysis.comparisons.iter().flat_map(|one| [&one.baseline, &one.candidate]);
    let sources: BTreeSet<&String> =
        variants.flat_map(|variant| &variant.sources).collect();
    let digest = |path: &String| Some((path.clone(), sha256(path).ok()?));
    sources.into_iter().filter_map(digest).collect()
}

fn sha256(path: &str) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
    loop {
        let chunk = file.fill_buf()?;
        if chunk.is_empty() {
            break;
        }
        hasher.update(chunk);
        let read = chunk.len();
        file.consume(read);
    }
    let mut hex = String::new();
    for byte in hasher.finalize() {
        // Writing to a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    Ok(hex)
}
