//! `patchodds models`: which there are, and what one says.

use comfy_table::{ContentArrangement, Table, presets};

use super::args::{Models, ModelsAction};
use super::{Ending, Said};
use crate::analysis::{Settings, prior_predictive};
use crate::data::Selection;
use crate::error::{Error, unknown_name};
use crate::formats::{self, Input};
use crate::model::{DEFAULT, MODELS, Spec};
use crate::report;

pub(super) fn run(args: &Models) -> Result<Said, Error> {
    let results = match &args.action {
        None => list()?,
        Some(ModelsAction::Show { name, stan: false, prior_predictive })
            if !prior_predictive.is_empty() =>
        {
            expected(name, prior_predictive)?
        }
        Some(ModelsAction::Show { name, stan, .. }) => show(name, *stan)?,
    };
    Ok(Said { results, ending: Ending::Done })
}

fn list() -> Result<String, Error> {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled);
    for model in MODELS {
        let spec = Spec::built_in(model.name)?;
        let default = if model.name == DEFAULT { " (the default)" } else { "" };
        table.add_row([model.name.to_owned(), format!("{}{default}", spec.title)]);
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim().to_owned()).collect();
    Ok(format!(
        "{}\n\n`patchodds models show NAME` prints one; `--model` takes a name or a file.\n",
        lines.join("\n")
    ))
}

fn show(name: &str, stan: bool) -> Result<String, Error> {
    let model = MODELS.iter().find(|model| model.name == name);
    let model = model.ok_or_else(|| {
        unknown_name("model", name, MODELS.iter().map(|model| model.name))
    })?;
    Ok(if stan { model.stan } else { model.toml }.to_owned())
}

/// What a model expects of measurements before it has seen them.
fn expected(name: &str, words: &[String]) -> Result<String, Error> {
    let mut settings = Settings::default();
    settings.model = Some(Spec::named(name)?);
    let words: Vec<Input> = words.iter().cloned().map(Input::Word).collect();
    let dataset = formats::read_dataset(&words, &Selection::default())?;
    Ok(report::prior_predictive(&prior_predictive(&dataset, &settings)?))
}
