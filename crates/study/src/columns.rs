//! Tables of plain text.

use crate::Count;

/// Rows as lines: the first column to the left, the others to the right. Rows have as many cells.
pub(crate) fn aligned<R: AsRef<[String]>>(rows: &[R]) -> String {
    let columns = rows.first().map_or(0, |row| row.as_ref().len());
    let width = |column: usize| rows.iter().map(|row| row.as_ref()[column].chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, width)) in row.as_ref().iter().zip(&widths).enumerate() {
            line.push_str(&match column {
                0 => format!("{cell:width$}"),
                _ => format!("  {cell:>width$}"),
            });
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A share in percent; a dash of nothing.
pub(crate) fn share(count: Count) -> String {
    percent(count.percent())
}

/// The same of what is known as a percentage.
pub(crate) fn percent(percent: Option<f64>) -> String {
    percent.map_or_else(|| "–".to_owned(), |percent| format!("{percent:.1} %"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_column_is_aligned_to_the_left_and_nothing_trails() {
        let rows =
            [["name", "size"], ["a", "10"], ["longer", "–"]].map(|row| row.map(str::to_owned));
        assert_eq!(aligned(&rows), "name    size\na         10\nlonger     –\n");
    }
}
