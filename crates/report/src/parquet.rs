//! Tables as Parquet, for notebooks. Columns hold strings, 64-bit integers or doubles; empty cells
//! are null. The numbers are those of the CSV files.

use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use super::record::PROGRAM;
use super::table::{Cell, ColumnType, Table, TableColumn};

/// Encodes a table as a Parquet file with one row group, compressed with Snappy.
pub(super) fn encode(table: &Table) -> Vec<u8> {
    written(table).expect("columns match the schema, and writing to memory cannot fail")
}

fn written(table: &Table) -> Result<Vec<u8>, ParquetError> {
    let fields = table.columns().iter().map(field);
    let fields = fields.collect::<Result<_, _>>()?;
    let schema = Type::group_type_builder(table.name().name()).with_fields(fields);
    let properties = WriterProperties::builder()
        .set_created_by(PROGRAM.to_owned())
        .set_compression(Compression::SNAPPY);
    let (schema, properties) = (Arc::new(schema.build()?), Arc::new(properties.build()));
    let mut out = SerializedFileWriter::new(Vec::new(), schema, properties)?;
    let mut group = out.next_row_group()?;
    for (place, column) in table.columns().iter().enumerate() {
        let cells = || table.rows().iter().map(|row| &row[place]);
        match column.kind {
            ColumnType::Text | ColumnType::Printed => {
                write::<ByteArrayType>(&mut group, cells().map(text))?;
            }
            ColumnType::Integer => write::<Int64Type>(&mut group, cells().map(integer))?,
            ColumnType::Real => write::<DoubleType>(&mut group, cells().map(Cell::number))?,
        }
    }
    group.close()?;
    out.into_inner()
}

/// Returns the schema of a column.
fn field(column: &TableColumn) -> Result<Arc<Type>, ParquetError> {
    let (physical, logical) = match column.kind {
        ColumnType::Text | ColumnType::Printed => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        ColumnType::Integer => (Physical::INT64, None),
        ColumnType::Real => (Physical::DOUBLE, None),
    };
    let field = Type::primitive_type_builder(column.name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical);
    field.build().map(Arc::new)
}

fn text(cell: &Cell) -> Option<ByteArray> {
    match cell {
        Cell::Text(text) => Some(text.as_str().into()),
        _ => None,
    }
}

fn integer(cell: &Cell) -> Option<i64> {
    match cell {
        Cell::Integer(number) => {
            // Only forged board numbers are larger.
            Some(i64::try_from(*number).unwrap_or(i64::MAX))
        }
        _ => None,
    }
}

/// Writes the next column: its values and null positions.
fn write<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    cells: impl Iterator<Item = Option<T::T>>,
) -> Result<(), ParquetError> {
    let mut values = Vec::new();
    let mut is_there = Vec::new();
    for cell in cells {
        is_there.push(i16::from(cell.is_some()));
        values.extend(cell);
    }
    let mut column = group.next_column()?.expect("the schema has this column");
    column
        .typed::<T>()
        .write_batch(&values, Some(&is_there), None)?;
    column.close()
}

#[cfg(test)]
mod tests {
    use crate::TableName;
    use std::fs::File;
    use std::io::Write;

    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    use super::super::table::{integer, real, text};
    use super::*;

    fn read(bytes: &[u8]) -> SerializedFileReader<File> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        SerializedFileReader::new(file).unwrap()
    }

    #[test]
    fn what_is_written_is_read_again() {
        let columns = [text("label"), integer("n"), real("z")];
        let rows = [
            ["spades".into(), 7u64.into(), (1.0 / 3.0).into()],
            ["♠ \"x\", y".into(), Cell::Empty, f64::NEG_INFINITY.into()],
            [Cell::Empty, 9_999_999_999_999_999u64.into(), Cell::Empty],
        ];
        let table = Table::of(TableName::Averages, columns, rows.into_iter());
        let reader = read(&encode(&table));
        let read: Vec<Vec<Field>> = reader
            .get_row_iter(None)
            .unwrap()
            .map(|row| {
                row.unwrap()
                    .get_column_iter()
                    .map(|(_, f)| f.clone())
                    .collect()
            })
            .collect();
        let expected = [
            [
                Field::Str("spades".to_owned()),
                Field::Long(7),
                Field::Double(1.0 / 3.0),
            ],
            [
                Field::Str("♠ \"x\", y".to_owned()),
                Field::Null,
                Field::Double(f64::NEG_INFINITY),
            ],
            [Field::Null, Field::Long(9_999_999_999_999_999), Field::Null],
        ];
        assert_eq!(read, expected);
    }

    #[test]
    fn a_table_without_rows_has_its_columns() {
        let table = Table::new(TableName::Tests, &[text("label"), real("z")]);
        let reader = read(&encode(&table));
        assert_eq!(reader.metadata().file_metadata().num_rows(), 0);
        let schema = reader.metadata().file_metadata().schema_descr();
        assert_eq!(schema.num_columns(), 2);
    }
}
