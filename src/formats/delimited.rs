//! Tables: CSV, TSV or semicolons, a run a row or a variant a column.

use csv::{ByteRecord, ReaderBuilder};

use super::column::{Column, settle};
use super::groups::Groups;
use super::header::Heading;
use super::number::{Convention, Evidence, parse};
use super::plan::{Plan, Profile};
use super::text::line_of;
use super::{File, Format, Options};
use crate::data::{Dataset, Measurements, Reading};
use crate::error::Error;

/// How many lines are looked at to tell the format and the role of a column.
const HEAD: usize = 100;

/// One kind of table.
#[derive(Debug)]
pub(super) struct Delimited {
    name: &'static str,
    description: &'static str,
    delimiter: u8,
}

pub(super) static COMMAS: Delimited = Delimited {
    name: "csv",
    description: "a table with commas: a run a row, or a variant a column",
    delimiter: b',',
};
pub(super) static SEMICOLONS: Delimited = Delimited {
    name: "semicolons",
    description: "the same with semicolons, as spreadsheets write it where the comma is decimal",
    delimiter: b';',
};
pub(super) static TABS: Delimited =
    Delimited { name: "tsv", description: "the same with tabs", delimiter: b'\t' };

impl Format for Delimited {
    fn name(&self) -> &'static str {
        self.name
    }

    fn description(&self) -> &'static str {
        self.description
    }

    fn detect(&self, file: &File<'_>) -> bool {
        let body = &file.text[body_start(file.text)..];
        if body.starts_with(['{', '<']) || body.starts_with("[{") {
            return false;
        }
        let best = [&TABS, &SEMICOLONS, &COMMAS]
            .into_iter()
            .filter_map(|kind| Some((kind.evenness(body)?, kind)))
            // Of equals the first, so that `1,5;2,5` is of semicolons.
            .reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.is_some_and(|(_, kind)| kind.delimiter == self.delimiter)
    }

    fn read(&self, file: &File<'_>, options: &Options) -> Result<Reading, Error> {
        Table::of(file, self.delimiter)?.read(self.name, options)
    }
}

/// Reads rows with commas whose columns have these names; for formats that are tables in
/// another dress.
pub(super) fn read_rows(
    format: &'static str,
    file: &File<'_>,
    names: &[String],
    options: &Options,
) -> Result<Reading, Error> {
    let headings = names.iter().map(|name| Heading::parse(name)).collect();
    let table = Table {
        file,
        delimiter: b',',
        start: 0,
        first_row_is_header: false,
        has_names: true,
        headings,
    };
    table.read(format, options)
}

impl Delimited {
    /// The share of lines in the head with as many fields as the first, in thousandths;
    /// `None` when there is nothing to delimit or most lines differ.
    fn evenness(&self, body: &str) -> Option<usize> {
        let delimiter = char::from(self.delimiter);
        let fields = |line: &str| {
            let mut quoted = false;
            line.chars()
                .filter(|letter| {
                    quoted ^= *letter == '"';
                    *letter == delimiter && !quoted
                })
                .count()
        };
        let mut lines =
            body.lines().map(str::trim_end).filter(|line| !line.is_empty()).take(HEAD);
        let first = fields(lines.next()?);
        let (same, all) = lines.fold((0, 0), |(same, all), line| {
            (same + usize::from(fields(line) == first), all + 1)
        });
        (first > 0 && same * 2 >= all)
            .then(|| (same * 1000usize).checked_div(all).unwrap_or(0))
    }
}

/// Where the table begins: behind blank lines and remarks.
fn body_start(text: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        if !trimmed.is_empty() && !trimmed.starts_with('#') {
            break;
        }
        at += line.len();
    }
    at
}

/// Where a row stands; its line is only counted when there is something to say.
pub(super) struct RowPlace<'a> {
    table: &'a Table<'a>,
    byte: usize,
}

impl RowPlace<'_> {
    /// The line of the row, counted from 1.
    pub(super) fn line(&self) -> usize {
        let text = self.table.file.text.as_bytes();
        // The reader passes blank lines after it has noted the position.
        let blank = text[self.byte..].iter().take_while(|b| matches!(b, b'\n' | b'\r'));
        line_of(text, self.byte + blank.count())
    }

    /// An error in this row.
    pub(super) fn error(&self, what: String) -> Error {
        Error::new(what).at_line(self.table.file.path, self.line())
    }

    /// The name of a column.
    pub(super) fn column(&self, index: usize) -> &str {
        &self.table.headings[index].name
    }
}

/// A file with its header read.
struct Table<'a> {
    file: &'a File<'a>,
    delimiter: u8,
    start: usize,
    first_row_is_header: bool,
    has_names: bool,
    headings: Vec<Heading>,
}

impl<'a> Table<'a> {
    fn of(file: &'a File<'a>, delimiter: u8) -> Result<Self, Error> {
        let start = body_start(file.text);
        let mut table = Self {
            file,
            delimiter,
            start,
            first_row_is_header: false,
            has_names: false,
            headings: Vec::new(),
        };
        let mut first = ByteRecord::new();
        if !table.next(&mut table.reader(), &mut first)? || first.is_empty() {
            return Err(Error::new("there is no table in it")
                .in_file(file.path)
                .with_hint(
                    "give a header line such as `variant,value`, and a run a row",
                ));
        }
        table.has_names =
            first.iter().any(|cell| !cell.trim_ascii().is_empty() && !is_number(cell));
        table.first_row_is_header = table.has_names;
        table.headings = first
            .iter()
            .enumerate()
            .map(|(index, cell)| match (table.has_names, as_text(cell)) {
                (true, name) => Heading::parse(name),
                (false, _) => Heading::parse(&(index + 1).to_string()),
            })
            .collect();
        Ok(table)
    }

    /// All of it, under the name of a format.
    fn read(&self, format: &'static str, options: &Options) -> Result<Reading, Error> {
        let path = self.file.path;
        let plan = Plan::of(&self.profile()?, options, |columns| self.varying(columns))
            .map_err(|error| match error.place() {
                None => error.in_file(path),
                Some(_) => error,
            })?;
        let mut columns = self.columns(&plan)?;
        let mut groups = Groups::new(&plan);
        self.each_row(|row, place| groups.add(row, &mut columns, &place))?;
        Ok(groups.finish(format, path, &self.headings, &columns))
    }

    fn reader(&self) -> csv::Reader<&'a [u8]> {
        ReaderBuilder::new()
            .delimiter(self.delimiter)
            .has_headers(false)
            .flexible(true)
            .from_reader(&self.file.text.as_bytes()[self.start..])
    }

    fn next(
        &self,
        reader: &mut csv::Reader<&[u8]>,
        record: &mut ByteRecord,
    ) -> Result<bool, Error> {
        // A slice cannot fail to be read, and rows may be of any length.
        reader.read_byte_record(record).map_err(|error| {
            Error::new(format!("it is no table: {error}")).in_file(self.file.path)
        })
    }

    /// Calls `act` with every row below the header, each as long as the header.
    fn each_row(
        &self,
        mut act: impl FnMut(&ByteRecord, RowPlace<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut reader = self.reader();
        let mut row = ByteRecord::new();
        let mut header = self.first_row_is_header;
        let width = self.headings.len();
        while self.next(&mut reader, &mut row)? {
            if std::mem::take(&mut header) {
                continue;
            }
            let byte = row.position().map_or(0, csv::Position::byte);
            let place = RowPlace {
                table: self,
                byte: self.start + usize::try_from(byte).unwrap_or(0),
            };
            if row.len() != width {
                if row.iter().all(|cell| cell.trim_ascii().is_empty())
                    || (row.len() == 1 && row[0].starts_with(b"#"))
                {
                    continue;
                }
                if row.len() < width
                    || row.iter().skip(width).any(|cell| !cell.trim_ascii().is_empty())
                {
                    return Err(ragged(&row, width, &place));
                }
                row.truncate(width);
            }
            act(&row, place)?;
        }
        Ok(())
    }

    /// What each column looks like in the head.
    fn profile(&self) -> Result<Profile, Error> {
        let mut profile = Profile::new(self.headings.clone(), self.has_names);
        let mut reader = self.reader();
        let mut row = ByteRecord::new();
        let mut header = self.first_row_is_header;
        for _ in 0..=HEAD {
            if !self.next(&mut reader, &mut row)? {
                break;
            }
            if !std::mem::take(&mut header) {
                profile.note(&row);
            }
        }
        if profile.is_empty() {
            return Err(Error::new("there are no runs in it")
                .in_file(self.file.path)
                .with_hint("give a run a row below the header line"));
        }
        Ok(profile)
    }

    /// Those of some columns that hold more than one value.
    fn varying(&self, columns: &[usize]) -> Result<Vec<usize>, Error> {
        let mut firsts: Vec<Option<Vec<u8>>> = vec![None; columns.len()];
        let mut varies = vec![false; columns.len()];
        self.each_row(|row, _| {
            for (i, &column) in columns.iter().enumerate() {
                match &firsts[i] {
                    None => firsts[i] = Some(cell(row, column).to_vec()),
                    Some(first) => varies[i] |= first.as_slice() != cell(row, column),
                }
            }
            Ok(())
        })?;
        let pairs = columns.iter().zip(varies);
        Ok(pairs.filter(|(_, varies)| *varies).map(|(column, _)| *column).collect())
    }

    /// How the numbers of each column of values are read.
    fn columns(&self, plan: &Plan) -> Result<Vec<Column>, Error> {
        let commas = self.file.text.contains(',')
            && (self.delimiter != b',' || self.file.text.contains('"'));
        let mut evidence = vec![Evidence::default(); plan.values.len()];
        if commas {
            self.each_row(|row, place| {
                for (evidence, value) in evidence.iter_mut().zip(&plan.values) {
                    let cell = cell(row, value.column);
                    if cell.iter().any(|byte| matches!(byte, b',' | b'.')) {
                        evidence.note(as_text(cell), || place.line());
                    }
                }
                Ok(())
            })?;
        }
        let columns =
            evidence.into_iter().zip(&plan.values).map(|(evidence, value)| {
                let convention = settle(self.file.path, evidence)?;
                Ok(Column::new(convention, value.unit.clone()))
            });
        columns.collect()
    }
}

fn ragged(row: &ByteRecord, width: usize, place: &RowPlace<'_>) -> Error {
    let fields = if row.len() == 1 {
        "1 field".to_owned()
    } else {
        format!("{} fields", row.len())
    };
    let hint = if row.len() > width {
        "put a field that holds the delimiter in double quotes"
    } else {
        "leave a field empty where there is no value, and keep its delimiter"
    };
    place
        .error(format!("this row has {fields}, the first line has {width}"))
        .with_hint(hint)
}

/// A cell without the blanks around it.
pub(super) fn cell(row: &ByteRecord, column: usize) -> &[u8] {
    row[column].trim_ascii()
}

/// A cell as text; all cells are slices of text at its characters' boundaries.
pub(super) fn as_text(cell: &[u8]) -> &str {
    std::str::from_utf8(cell).unwrap_or_default().trim()
}

/// Whether a cell is a number under one convention or the other, finite or not.
pub(super) fn is_number(cell: &[u8]) -> bool {
    use super::number::Fault;
    let text = as_text(cell);
    [Convention::Point, Convention::Comma].into_iter().any(|convention| {
        matches!(
            parse(text, convention),
            Ok(_) | Err(Fault::NotFinite | Fault::TooLarge)
        )
    })
}

/// The long form of a dataset: what a table that is read back says.
///
/// Values are in their shortest form; summaries, which are no runs, are left out.
pub fn write_table(dataset: &Dataset) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header =
        ["variant", "benchmark", "metric", "value", "unit", "better", "invocation"];
    // Writing to memory cannot fail.
    let _ = writer.write_record(header);
    for series in &dataset.series {
        let metric = &series.metric;
        for variant in &series.variants {
            let Measurements::Runs(sample) = &variant.measurements else { continue };
            for (index, runs) in sample.invocations().enumerate() {
                for run in runs {
                    let _ = writer.write_record([
                        variant.label.as_str(),
                        series.benchmark.as_deref().unwrap_or_default(),
                        metric.name.as_deref().unwrap_or_default(),
                        &run.to_string(),
                        metric.unit.as_deref().unwrap_or_default(),
                        metric.direction.name(),
                        &(index + 1).to_string(),
                    ]);
                }
            }
        }
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}
