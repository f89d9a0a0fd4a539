//! Locks and stores in production: which number can be the token, and where to check it.

use crate::chance::recording::{RecordingError, find};
use crate::figures::output::{Figure, debug_is_text, show};
use crate::figures::svg::escape;
use serde::Deserialize;
use std::fmt;

/// Where the workbook keeps them.
const FILE: &str = "data/figures/systems.csv";

/// What is known of one system.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct System {
    /// Its name.
    pub system: String,
    /// Which of its numbers can be a token.
    pub token: String,
    /// Where to check it.
    pub check: String,
    /// What to beware of.
    pub beware: String,
    /// Where this was published: addresses with blanks between them.
    pub source: String,
}

/// Systems in production, to be shown as a table.
#[derive(Clone, PartialEq, Eq)]
pub struct Systems(pub Vec<System>);

/// The systems in `data/figures/systems.csv`.
///
/// ```
/// let systems = fencing::workbook::systems::systems()?;
/// assert!(systems.0.iter().all(|system| system.source.starts_with("https://")));
/// # Ok::<(), fencing::chance::recording::RecordingError>(())
/// ```
///
/// # Errors
/// [`RecordingError`], where the file is missing or a row is not what it should be.
pub fn systems() -> Result<Systems, RecordingError> {
    let error = |line, reason| RecordingError { file: FILE.into(), line, reason };
    let mut table = csv::Reader::from_path(find(FILE.as_ref()))
        .map_err(|cause| error(None, cause.to_string()))?;
    let rows = table.deserialize().map(|row| {
        row.map_err(|cause: csv::Error| {
            error(cause.position().map(csv::Position::line), "the row is not complete".into())
        })
    });
    rows.collect::<Result<Vec<System>, _>>().map(Systems)
}

impl Systems {
    /// The table as HTML, with a link to each source.
    #[must_use]
    pub fn to_html(&self) -> String {
        let cell = |kind: &str, text: &str| {
            let style = "text-align:left;vertical-align:top;padding:.3em .6em";
            format!("<{kind} style=\"{style}\">{text}</{kind}>")
        };
        let headings = ["system", "token", "where to check it", "beware", "source"];
        let headings: String = headings.iter().map(|heading| cell("th", heading)).collect();
        let rows = self.0.iter().map(|it| {
            let links = it.source.split(' ').enumerate().map(|(number, address)| {
                let address = escape(address);
                format!("<a href=\"{address}\">[{}]</a>", number + 1)
            });
            let links: Vec<String> = links.collect();
            let texts = [&it.token, &it.check, &it.beware].map(|text| cell("td", &escape(text)));
            let system = cell("td", &format!("<strong>{}</strong>", escape(&it.system)));
            format!("<tr>{system}{}{}</tr>", texts.concat(), cell("td", &links.join(" ")))
        });
        format!(
            "<table style=\"border-collapse:collapse;max-width:64em\"><thead><tr>{headings}</tr>\
             </thead><tbody>{}</tbody></table>",
            rows.collect::<String>()
        )
    }

    /// Shows the table in a notebook.
    pub fn evcxr_display(&self) {
        show(&self.to_html(), &self.to_string());
    }
}

debug_is_text!(Systems);

impl Figure for Systems {
    fn html(&self) -> String {
        self.to_html()
    }
}

impl fmt::Display for Systems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for System { system, token, check, beware, source } in &self.0 {
            writeln!(f, "{system}\n  token: {token}\n  check: {check}\n  beware: {beware}")?;
            writeln!(f, "  source: {source}")?;
        }
        Ok(())
    }
}
