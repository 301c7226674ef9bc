//! Draws as a Parquet table: the columns of the CSV, with what is known of the fit.
//!
//! R: `posterior::as_draws_df(arrow::read_parquet(FILE))`.
//! Python: `pandas.read_parquet(FILE)`.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, Repetition, Type as Physical};
use parquet::data_type::{DoubleType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};

use super::csv::PLACE;
use super::{Kind, Writer};
use crate::draws::{Draws, Group, Variable};

pub(super) const KIND: Kind = Kind {
    name: "parquet",
    suffixes: &["parquet"],
    about: "one table of the posterior, for pandas, polars, DuckDB and R's arrow",
    writer: |_| Writer::File(write),
};

fn write(draws: &Draws, path: &Path) -> io::Result<()> {
    fs::write(path, encode(draws).map_err(io::Error::other)?)
}

fn encode(draws: &Draws) -> Result<Vec<u8>, ParquetError> {
    let group = draws.posterior();
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_dictionary_enabled(false) // draws hardly repeat
        .set_key_value_metadata(Some(facts(draws)))
        .build();
    let mut file =
        SerializedFileWriter::new(Vec::new(), schema(group)?, Arc::new(properties))?;
    let mut rows = file.next_row_group()?;
    for counts in places(group)? {
        write_column::<Int32Type>(&mut rows, &counts)?;
    }
    for variable in group.variables() {
        // In memory a row is a chain, and so chain by chain here.
        let values: Vec<f64> = variable.values().iter().copied().collect();
        write_column::<DoubleType>(&mut rows, &values)?;
    }
    rows.close()?;
    file.into_inner()
}

fn schema(group: &Group) -> Result<TypePtr, ParquetError> {
    let column = |name: &str, physical| {
        let column = Type::primitive_type_builder(name, physical);
        column.with_repetition(Repetition::REQUIRED).build().map(Arc::new)
    };
    let places = PLACE.iter().map(|name| column(name, Physical::INT32));
    let variables = group.variables().iter();
    let variables = variables.map(|v| column(v.full_name(), Physical::DOUBLE));
    let fields = places.chain(variables).collect::<Result<Vec<_>, _>>()?;
    Ok(Arc::new(Type::group_type_builder("draws").with_fields(fields).build()?))
}

/// Chain, iteration in it and draw over all, each counted from 1.
fn places(group: &Group) -> Result<[Vec<i32>; 3], ParquetError> {
    let count =
        |n: usize| i32::try_from(n).map_err(|e| ParquetError::External(e.into()));
    let (chains, iterations) = (count(group.chains())?, count(group.iterations())?);
    let draws = count(group.chains() * group.iterations())?;
    Ok([
        (1..=chains).flat_map(|chain| (0..iterations).map(move |_| chain)).collect(),
        (0..chains).flat_map(|_| 1..=iterations).collect(),
        (1..=draws).collect(),
    ])
}

fn write_column<T: parquet::data_type::DataType>(
    rows: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    values: &[T::T],
) -> Result<(), ParquetError> {
    let Some(mut column) = rows.next_column()? else {
        return Err(ParquetError::General("more columns than in the schema".into()));
    };
    column.typed::<T>().write_batch(values, None, None)?;
    column.close()
}

/// The facts noted with the draws, and the labels behind the names of columns.
fn facts(draws: &Draws) -> Vec<KeyValue> {
    let variables = draws.posterior().variables().iter();
    let labels: serde_json::Map<String, serde_json::Value> = variables
        .filter_map(|variable| Some((variable, variable.index()?)))
        .map(|(variable, index)| (full_name(variable), index.label().into()))
        .collect();
    let labels = serde_json::Value::Object(labels).to_string();
    let noted = draws.metadata().iter();
    noted
        .map(|(key, value)| KeyValue::new(key.clone(), value.clone()))
        .chain([KeyValue::new("labels".to_owned(), labels)])
        .collect()
}

fn full_name(variable: &Variable) -> String {
    variable.full_name().to_owned()
}
