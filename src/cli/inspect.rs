//! `patchodds inspect`: what was read, before anything is concluded.

use super::args::{Inspect, InspectForm};
use super::{Ending, Said};
use crate::data::Selection;
use crate::error::Error;
use crate::formats::{self, Input};
use crate::report;

pub(super) fn run(args: &Inspect) -> Result<Said, Error> {
    if args.inputs.is_empty() {
        return Err(Error::new("there is nothing to inspect")
            .with_hint("name a file or a folder: `patchodds inspect runs.json`"));
    }
    let selection = Selection {
        input_format: args.input_format.clone(),
        column: args.column.clone(),
        variant_by: args.variant_by.as_deref().map(str::parse).transpose()?,
        summary_spread: args.summary_spread.as_deref().map(str::parse).transpose()?,
        ..Selection::default()
    };
    let words: Vec<Input> = args.inputs.iter().cloned().map(Input::Word).collect();
    let sources = formats::read_sources(&words, &selection)?;
    let results = match args.format {
        InspectForm::Text => report::inspect_text(&sources, &selection),
        InspectForm::Json => report::inspect_json(&sources, &selection),
    };
    Ok(Said { results, ending: Ending::Done })
}
