//! Tables as Parquet: read like tables of JSON lines, with rows in place of lines.

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::SerializedFileReader;
use parquet::record::reader::RowIter;
use parquet::record::{Field, Row};
use serde_json::Value;

use super::ndjson::{Object, read_objects};
use super::{File, Format, Options};
use crate::data::Reading;
use crate::error::Error;

/// The format.
#[derive(Debug)]
pub(super) struct Parquet;

/// The first four bytes, and the last.
const MAGIC: &[u8] = b"PAR1";

impl Format for Parquet {
    fn name(&self) -> &'static str {
        "parquet"
    }

    fn description(&self) -> &'static str {
        "a table as Parquet, with the columns of a CSV table"
    }

    fn detect(&self, _: &File<'_>) -> bool {
        false
    }

    fn read(&self, file: &File<'_>, _: &Options) -> Result<Reading, Error> {
        Err(Error::new("this is no Parquet: it does not begin with `PAR1`")
            .in_file(file.path)
            .with_hint("give the file as it was written"))
    }

    fn read_binary(
        &self,
        path: &str,
        bytes: &[u8],
        options: &Options,
    ) -> Option<Result<Reading, Error>> {
        let read = || {
            let rows = checked_rows(bytes).map_err(|why| damaged(path, &why))?;
            read_objects(self.name(), path, rows, options)
        };
        bytes.starts_with(MAGIC).then(read)
    }
}

/// The rows; the library asserts some of what a damaged file does not keep to.
fn checked_rows(bytes: &[u8]) -> Result<Vec<(usize, Object)>, String> {
    match std::panic::catch_unwind(|| rows(bytes)) {
        Ok(rows) => rows.map_err(|error| error.to_string()),
        Err(_) => Err("its pages are damaged".to_owned()),
    }
}

/// The rows, counted from 1.
fn rows(bytes: &[u8]) -> Result<Vec<(usize, Object)>, ParquetError> {
    let reader = SerializedFileReader::new(Bytes::copy_from_slice(bytes))?;
    let rows = RowIter::from_file_into(Box::new(reader));
    rows.enumerate().map(|(at, row)| Ok((at + 1, object(&row?)))).collect()
}

fn object(row: &Row) -> Object {
    row.get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect()
}

/// A cell as it would stand in a table of text.
fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Str(text) => Value::String(text.clone()),
        // Their own form would be that of code: `1.0` where the number is 1.
        Field::Float16(number) => Value::String(number.to_string()),
        Field::Float(number) => Value::String(number.to_string()),
        Field::Double(number) => Value::String(number.to_string()),
        Field::Bytes(bytes) => {
            Value::String(String::from_utf8_lossy(bytes.data()).into_owned())
        }
        Field::Group(row) => Value::Object(object(row)),
        other => Value::String(other.to_string()),
    }
}

fn damaged(path: &str, text: &str) -> Error {
    let text = text.to_lowercase();
    let compression = text.split_once("disabled feature at compile time: ");
    let (what, hint) = match compression {
        Some((_, kind)) => (
            format!("it is compressed with {kind}, which is not read"),
            "write it with Snappy, zstd, LZ4 or gzip, or without compression",
        ),
        None => (
            format!("it begins like Parquet and cannot be read: {text}"),
            "the file may be cut off: copy it again",
        ),
    };
    Error::new(what).in_file(path).with_hint(hint)
}
