//! Lines of a file as they come, so that a file may be larger than memory.

use std::io::BufRead;

use crate::error::Error;

/// The lines of one file, of which one is in memory at a time.
pub struct Lines<'a> {
    path: &'a str,
    input: &'a mut dyn BufRead,
    line: usize,
    buffer: Vec<u8>,
}

impl<'a> Lines<'a> {
    /// Those of what is read from `input`, which messages call `path`.
    pub fn new(path: &'a str, input: &'a mut dyn BufRead) -> Self {
        Self { path, input, line: 0, buffer: Vec::new() }
    }

    /// As the user typed it.
    pub(super) fn path(&self) -> &'a str {
        self.path
    }

    /// The number of the line that was read last, counted from 1.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// The next line that is not blank, without the blanks around it.
    pub(super) fn next(&mut self) -> Result<Option<&str>, Error> {
        loop {
            self.buffer.clear();
            let length = self
                .input
                .read_until(b'\n', &mut self.buffer)
                .map_err(|error| self.unreadable(&error))?;
            if length == 0 {
                return Ok(None);
            }
            self.line += 1;
            if !self.buffer.trim_ascii().is_empty() {
                break;
            }
        }
        let text = std::str::from_utf8(&self.buffer).map_err(|error| {
            let byte = self.buffer[error.valid_up_to()];
            Error::new(format!("the byte 0x{byte:02x} is not UTF-8 text"))
                .at_line(self.path, self.line)
                .with_hint("give the file as the tool wrote it")
        })?;
        Ok(Some(text.trim_start_matches('\u{feff}').trim()))
    }

    fn unreadable(&self, error: &std::io::Error) -> Error {
        let why = error.to_string().to_lowercase();
        Error::new(format!("it cannot be read to its end: {why}"))
            .at_line(self.path, self.line + 1)
            .with_hint("the file may be cut off: copy it again")
    }
}
