//! `patchodds completions` and `patchodds man`: both come out of the definition of the
//! command line.

use std::io;

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use super::args::Cli;
use super::{Ending, Said};
use crate::error::Error;

pub(super) fn completions(shell: Shell) -> Result<Said, Error> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "patchodds", &mut script);
    said(script)
}

/// One page: the program, then each of its commands with all of its options.
pub(super) fn manual() -> Result<Said, Error> {
    let mut command = Cli::command();
    command.build();
    let mut page = Vec::new();
    let done = write_page(&command, &mut page);
    done.map_err(|error| Error::new(format!("the manual cannot be made: {error}")))?;
    said(page)
}

fn write_page(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let man = Man::new(command.clone());
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    for part in command.get_subcommands().filter(|part| part.get_name() != "help") {
        write_command(part, page)?;
    }
    man.render_version_section(page)
}

fn write_command(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let man = Man::new(command.clone());
    let name = command.get_name().to_uppercase();
    page.extend_from_slice(format!(".SH \"PATCHODDS {name}\"\n").as_bytes());
    let mut parts = Vec::new();
    man.render_synopsis_section(&mut parts)?;
    man.render_description_section(&mut parts)?;
    man.render_options_section(&mut parts)?;
    man.render_extra_section(&mut parts)?;
    // Sections of the command are parts of its section here.
    let parts = String::from_utf8_lossy(&parts).replace(".SH ", ".SS ");
    page.extend_from_slice(parts.as_bytes());
    Ok(())
}

fn said(text: Vec<u8>) -> Result<Said, Error> {
    let results = String::from_utf8(text)
        .map_err(|error| Error::new(format!("the text is not UTF-8: {error}")))?;
    Ok(Said { results, ending: Ending::Done })
}
