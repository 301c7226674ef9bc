//! The `patchodds` program.

fn main() {}
