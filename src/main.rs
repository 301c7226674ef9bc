//! The `patchodds` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    patchodds::cli::main()
}
