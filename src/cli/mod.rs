//! Arguments to meaning to work to words; the only place that prints.

mod args;
mod compare;
mod digest;
mod guide;
mod inspect;
mod models;
mod progress;

use std::ffi::OsString;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use crate::error::Error;
use args::{Cli, Colour, Command};

/// How a run of the program ended; the exit code says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Done: 0.
    Done,
    /// Could not be done: 2.
    Failed,
    /// Done, and sampling is not reliable: 3.
    NotReliable,
}

impl Ending {
    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 2,
            Self::NotReliable => 3,
        }
    }
}

/// The whole program, on the arguments and streams of this process.
pub fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    let streams = Streams {
        width: terminal_width(),
        out_is_terminal: io::stdout().is_terminal(),
        err_is_terminal: io::stderr().is_terminal(),
    };
    let ending = run(args, streams, &mut io::stdout(), &mut io::stderr());
    ExitCode::from(ending.code())
}

/// What is known of the streams.
#[derive(Debug, Clone, Copy)]
pub struct Streams {
    /// Columns of the terminal, or of a page.
    pub width: usize,
    /// Whether results go to a person.
    pub out_is_terminal: bool,
    /// Whether notes go to a person.
    pub err_is_terminal: bool,
}

/// Columns where the terminal does not say.
const PAGE: usize = 80;

fn terminal_width() -> usize {
    clap_width().unwrap_or(PAGE)
}

fn clap_width() -> Option<usize> {
    let columns =
        std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    columns.or_else(|| {
        let size = terminal_size::terminal_size();
        size.map(|(terminal_size::Width(columns), _)| usize::from(columns))
    })
}

/// The whole program, callable from a test.
pub fn run(
    args: impl IntoIterator<Item = OsString>,
    streams: Streams,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Ending {
    let args: Vec<OsString> = args.into_iter().collect();
    let (cli, matches) = match parse(&args) {
        Ok(parsed) => parsed,
        Err(error) => return said_by_clap(&error, out, err),
    };
    let coloured = |is_terminal: bool| match cli.color {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => is_terminal && colour_wanted(),
    };
    let mut out = Page { to: out, coloured: coloured(streams.out_is_terminal) };
    let mut err = Page { to: err, coloured: coloured(streams.err_is_terminal) };
    let command: Vec<String> =
        args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let done = match &cli.command {
        Command::Compare(compare) => {
            let order = matches.subcommand_matches("compare");
            compare::run(compare, order, &command, streams, cli.quiet)
        }
        Command::Inspect(inspect) => inspect::run(inspect),
        Command::Models(models) => models::run(models),
        Command::Completions { shell } => guide::completions(*shell),
        Command::Man => guide::manual(),
    };
    match done {
        Ok(Said { results, ending }) => print(&results, ending, &mut out, &mut err),
        Err(error) => {
            complain(&error, &mut err);
            Ending::Failed
        }
    }
}

fn parse(args: &[OsString]) -> Result<(Cli, clap::ArgMatches), clap::Error> {
    use clap::{CommandFactory, FromArgMatches};
    let matches = Cli::command().try_get_matches_from(args)?;
    let cli = Cli::from_arg_matches(&matches)?;
    Ok((cli, matches))
}

fn colour_wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// What a command has to say: nothing is printed before all of it is known.
struct Said {
    results: String,
    ending: Ending,
}

/// A stream, and whether it shows colours.
struct Page<'a> {
    to: &'a mut dyn Write,
    coloured: bool,
}

impl Page<'_> {
    fn write(&mut self, text: &str) -> io::Result<()> {
        if self.coloured {
            self.to.write_all(text.as_bytes())?;
        } else {
            write!(self.to, "{}", anstream::adapter::strip_str(text))?;
        }
        self.to.flush()
    }
}

fn print(
    results: &str,
    ending: Ending,
    out: &mut Page<'_>,
    err: &mut Page<'_>,
) -> Ending {
    match out.write(results) {
        Ok(()) => ending,
        // The reader has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ending,
        Err(error) => {
            let error = Error::new(format!("the result cannot be written: {error}"))
                .in_file("standard output");
            complain(&error, err);
            Ending::Failed
        }
    }
}

fn complain(error: &Error, err: &mut Page<'_>) {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    let mut text = format!("{style}error{style:#}: {error}\n");
    if let Some(hint) = error.hint() {
        text.push_str("\nhint: ");
        text.push_str(hint);
        text.push('\n');
    }
    // Nobody is left to tell if this fails.
    let _ = err.write(&text);
}

/// Help and version go to standard output, a wrong argument to standard error.
fn said_by_clap(
    error: &clap::Error,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Ending {
    let text = error.render().to_string();
    let mut err = Page { to: err, coloured: false };
    if error.use_stderr() {
        let _ = err.write(&text);
        return Ending::Failed;
    }
    print(&text, Ending::Done, &mut Page { to: out, coloured: false }, &mut err)
}
