//! Tables, as HTML and as text.

use super::output::{Figure, debug_is_text, show};
use super::svg::escape;
use std::fmt;

/// A small table: a heading a column, and rows of text. Columns of numbers stand to the right.
///
/// ```
/// use fencing::prelude::*;
///
/// let table = Table::new(["lease", "zombie writes"]).row(["10s", "164"]).row(["40s", "9"]);
/// let text = "lease  zombie writes\n  10s            164\n  40s              9\n";
/// assert_eq!(table.to_string(), text);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Table {
    caption: Option<String>,
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn new<H: Into<String>>(headings: impl IntoIterator<Item = H>) -> Table {
        let headings = headings.into_iter().map(Into::into).collect();
        Table { caption: None, headings, rows: Vec::new() }
    }

    /// The same table with one more row. A row that is too short is filled up, one that is too long
    /// is cut.
    #[must_use]
    pub fn row<C: Into<String>>(mut self, cells: impl IntoIterator<Item = C>) -> Table {
        let mut cells: Vec<String> = cells.into_iter().map(Into::into).collect();
        cells.resize(self.headings.len(), String::new());
        self.rows.push(cells);
        self
    }

    /// The same table with a line that says what is seen.
    #[must_use]
    pub fn captioned(mut self, caption: impl Into<String>) -> Table {
        self.caption = Some(caption.into());
        self
    }

    /// The table as HTML.
    #[must_use]
    pub fn to_html(&self) -> String {
        let Some(caption) = &self.caption else { return self.table("") };
        // No caption of the table: that would be wrapped at its width, however narrow it is.
        let caption = escape(caption);
        format!(
            "<div><div style=\"max-width:45em;padding-top:0.3em\">{caption}</div>{}</div>",
            self.table(&format!(" aria-label=\"{caption}\""))
        )
    }

    fn table(&self, name: &str) -> String {
        let mut html =
            format!("<table{name} style=\"border-collapse:collapse;margin:0.4em 0\"><thead>");
        html += &self.html_row("th", &self.headings);
        html += "</thead><tbody>";
        for row in &self.rows {
            html += &self.html_row("td", row);
        }
        html + "</tbody></table>"
    }

    fn html_row(&self, kind: &str, cells: &[String]) -> String {
        let cells = cells.iter().enumerate().map(|(column, cell)| {
            let style = match self.is_of_numbers(column) {
                true if kind == "td" => "text-align:right;white-space:nowrap;padding:0.15em 0.6em",
                true => "text-align:right;padding:0.15em 0.6em",
                false => "text-align:left;padding:0.15em 0.6em",
            };
            format!("<{kind} style=\"{style}\">{}</{kind}>", escape(cell))
        });
        format!("<tr>{}</tr>", cells.collect::<String>())
    }

    /// Shows the table in a notebook.
    pub fn evcxr_display(&self) {
        show(&self.to_html(), &self.to_string());
    }

    /// True if no cell of the column begins otherwise than a number does.
    fn is_of_numbers(&self, column: usize) -> bool {
        let is_number = |cell: &str| {
            cell.starts_with(|first: char| first.is_ascii_digit() || "−-–<".contains(first))
        };
        let mut cells = self.rows.iter().map(|row| row[column].as_str());
        !self.rows.is_empty() && cells.all(|cell| cell.is_empty() || is_number(cell))
    }
}

debug_is_text!(Table);

impl Figure for Table {
    fn html(&self) -> String {
        self.to_html()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(caption) = &self.caption {
            writeln!(f, "{caption}")?;
        }
        let lines = || std::iter::once(&self.headings).chain(&self.rows);
        let width = |column: usize| lines().map(|row| row[column].chars().count()).max();
        let widths: Vec<usize> =
            (0..self.headings.len()).map(|column| width(column).unwrap_or(0)).collect();
        for row in lines() {
            let mut line = String::new();
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                if self.is_of_numbers(column) {
                    line += &format!("{cell:>width$}  ");
                } else {
                    line += &format!("{cell:<width$}  ");
                }
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_numbers_stand_to_the_right() {
        let table = Table::new(["who", "writes"]).row(["A & B", "7"]).row(["C", "1,024"]);
        assert_eq!(table.to_string(), "who    writes\nA & B       7\nC       1,024\n");
        let html = table.to_html();
        assert!(html.contains("text-align:left;padding:0.15em 0.6em\">A &amp; B</td>"));
        let right = "text-align:right;white-space:nowrap;padding:0.15em 0.6em";
        assert!(html.contains(&format!("{right}\">1,024</td>")), "{html}");
    }

    #[test]
    fn a_short_row_is_filled_up_and_a_long_one_cut() {
        let table = Table::new(["one", "two"]).row(["a"]).row(["b", "c", "d"]).captioned("See");
        assert_eq!(table.to_string(), "See\none  two\na\nb    c\n");
        let html = table.to_html();
        assert!(html.contains(">See</div><table aria-label=\"See\""), "{html}");
    }
}
