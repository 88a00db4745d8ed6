//! Heat maps: deviations of the counts of a table as colours.

use super::frame::WIDTH;
use super::palette::{AXIS, DIVERGING, PAPER};
use super::svg::{Across, Canvas, Down, Pixel, TEXT, UNIT, text_width};

/// A table of z: one seat's cards, suits by ranks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HeatTable {
    /// Its title: `North`.
    pub(crate) title: String,
    /// The names of its rows.
    pub(crate) rows: Vec<String>,
    /// The names of its columns.
    pub(crate) columns: Vec<String>,
    /// z of every cell, row by row; `None` where the outcome is certain or impossible.
    pub(crate) z: Vec<Vec<Option<f64>>>,
}

/// The boundaries between classes of |z|.
const EDGES: [f64; 4] = [1.0, 2.0, 3.0, 4.0];
/// The height of a cell, in units.
const CELL: i32 = 18;
/// The height of a line of names.
const LINE: i32 = TEXT + 5;

/// Tables of coloured cells below each other, with the names of rows and columns. Orange cells are
/// more frequent than expected, blue ones less. Colours are stronger beyond |z| = 1, 2, 3 and 4,
/// and cells beyond 3 also have a plus or minus sign. A cell without z is crossed out. A legend of
/// the colours is below the tables.
pub(crate) fn heat_map(blocks: &[HeatTable]) -> String {
    let left = blocks
        .iter()
        .flat_map(|block| &block.rows)
        .map(|row| text_width(row))
        .max();
    let left = left.unwrap_or(0).min(WIDTH / 2) + 6;
    let height = |block: &HeatTable| 2 * LINE + count(block.z.len()) * CELL + 8;
    let all: i32 = blocks.iter().map(height).sum();
    let mut canvas = Canvas::new(WIDTH, all + 3 * LINE);
    let mut top = 0;
    for block in blocks {
        draw_block(&mut canvas, block, left, top);
        top += height(block);
    }
    draw_legend(&mut canvas, top + 4);
    canvas.to_string()
}

/// Converts a length, limited to 200, more than any table has.
fn count(length: usize) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX).min(200)
}

fn draw_block(canvas: &mut Canvas, block: &HeatTable, left: i32, top: i32) {
    let columns = block.z.iter().map(Vec::len).max().unwrap_or(0);
    let width = (WIDTH - left) * UNIT / count(columns.max(1));
    let x = |column: usize| left * UNIT + count(column) * width;
    let y = |row: usize| (top + 2 * LINE + count(row) * CELL) * UNIT;
    let corner = (left * UNIT, top * UNIT);
    canvas.write(&block.title, corner, Across::Left, Down::Top);
    let names = (top + 2 * LINE - 3) * UNIT;
    for (column, name) in block.columns.iter().enumerate().take(columns) {
        let place = (x(column) + width / 2, names);
        canvas.write(name, place, Across::Centre, Down::Bottom);
    }
    let mut all = Vec::new();
    for (row, cells) in block.z.iter().enumerate() {
        let place = ((left - 6) * UNIT, y(row) + CELL * UNIT / 2);
        let name = block.rows.get(row).map_or("", String::as_str);
        canvas.write(name, place, Across::Right, Down::Centre);
        for (column, z) in cells.iter().enumerate() {
            all.push(((x(column), y(row)), class(*z)));
        }
    }
    draw_cells(canvas, &mut all, width);
}

/// The class of z, 0 to 8; `None` without z.
fn class(z: Option<f64>) -> Option<usize> {
    let z = z.filter(|z| !z.is_nan())?;
    let steps = EDGES.iter().filter(|edge| z.abs() >= **edge).count();
    Some(if z < 0.0 { 4 - steps } else { 4 + steps })
}

/// Draws cells of this width at their places, with small gaps between them. Cells are drawn class
/// by class, so that each class is one path.
fn draw_cells(canvas: &mut Canvas, cells: &mut [(Pixel, Option<usize>)], width: i32) {
    cells.sort_by_key(|(_, class)| *class);
    let height = CELL * UNIT;
    for &((x, y), class) in cells.iter() {
        let (left, top, right, bottom) = (x + 6, y + 6, x + width - 6, y + height - 6);
        match class {
            Some(class) => canvas.rectangle((left, top), (right, bottom), DIVERGING[class]),
            None => canvas.line(&[(left, bottom), (right, top)], AXIS, 0.8),
        }
    }
    for &((x, y), class) in cells.iter() {
        let (x, y, reach) = (x + width / 2, y + height / 2, 4 * UNIT);
        if class.is_some_and(|class| !(2..=6).contains(&class)) {
            canvas.line(&[(x - reach, y), (x + reach, y)], PAPER, 1.6);
        }
        if class.is_some_and(|class| class > 6) {
            canvas.line(&[(x, y - reach), (x, y + reach)], PAPER, 1.6);
        }
    }
}

/// Draws the nine colours in a row, with the boundaries of |z| below.
fn draw_legend(canvas: &mut Canvas, top: i32) {
    let width = 32 * UNIT;
    let left = (WIDTH * UNIT - 9 * width) / 2;
    let cell = |class: usize| ((left + count(class) * width, top * UNIT), Some(class));
    let mut cells: Vec<(Pixel, Option<usize>)> = (0..DIVERGING.len()).map(cell).collect();
    draw_cells(canvas, &mut cells, width);
    let below = (top + CELL + 2) * UNIT;
    let signed = EDGES.iter().rev().map(|edge| format!("\u{2212}{edge}"));
    let edges = signed.chain(EDGES.iter().map(f64::to_string));
    for (place, edge) in edges.enumerate() {
        let x = left + count(place + 1) * width;
        canvas.write(&edge, (x, below), Across::Centre, Down::Top);
    }
    let beside = (left - 10 * UNIT, (top + CELL / 2) * UNIT);
    canvas.write("z", beside, Across::Right, Down::Centre);
}
