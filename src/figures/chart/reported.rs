//! Published pause figures side by side.

use super::{DrawResult, GRID, INK, PALETTE, draw, length_mark, length_text};
use crate::chance::reported::ReportedPause;
use crate::figures::output::Still;
use crate::figures::table::Table;
use plotters::coord::Shift;
use plotters::coord::combinators::LogCoord;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::fmt;
use std::time::Duration;

/// One line a cause: a dot at what is typical, a triangle at the longest that was reported. The
/// axis is logarithmic, from a tenth of a millisecond to a hundred seconds.
#[derive(Clone, Debug)]
pub struct ReportedPauseChart {
    title: String,
    causes: Vec<Cause>,
    sources: Vec<ReportedPause>,
    lease: Option<Duration>,
}

/// Room for the names of the causes, in pixels.
const NAMES: u32 = 290;
/// Room for the legend.
const LEGEND: u32 = 26;

/// What was reported of one cause.
#[derive(Clone, Debug)]
struct Cause {
    name: String,
    typical_s: Option<f64>,
    longest_s: Option<f64>,
}

impl ReportedPauseChart {
    /// A chart of these figures, the longest pauses at the top; the title is the question that it
    /// answers.
    #[must_use]
    pub fn new(title: impl Into<String>, reported: &[ReportedPause]) -> ReportedPauseChart {
        let mut causes: Vec<Cause> = Vec::new();
        for pause in reported {
            let typical_s = pause.typical.as_ref().map(|(length, _)| length.as_secs_f64());
            let longest_s = pause.tail.as_ref().map(|(length, _)| length.as_secs_f64());
            match causes.iter_mut().find(|cause| cause.name == pause.cause) {
                Some(cause) => {
                    let all = [cause.typical_s, typical_s, cause.longest_s, longest_s];
                    cause.typical_s = cause.typical_s.or(typical_s);
                    cause.longest_s = all.into_iter().flatten().reduce(f64::max);
                }
                None => causes.push(Cause { name: pause.cause.clone(), typical_s, longest_s }),
            }
        }
        causes.sort_by(|one, other| one.longest().total_cmp(&other.longest()));
        ReportedPauseChart { title: title.into(), causes, sources: reported.to_vec(), lease: None }
    }

    /// The same chart with a line at this lease.
    #[must_use]
    pub fn lease(mut self, lease: Duration) -> ReportedPauseChart {
        self.lease = Some(lease);
        self
    }

    /// Every figure with its source.
    #[must_use]
    pub fn table(&self) -> Table {
        let headings = ["cause", "typical", "long", "source", "standing"];
        let length = |figure: &Option<(Duration, String)>| match figure {
            Some((length, kind)) => format!("{kind} {}", length_text(*length)),
            None => String::new(),
        };
        self.sources.iter().fold(Table::new(headings).captioned(&self.title), |table, pause| {
            table.row([
                pause.cause.clone(),
                length(&pause.typical),
                length(&pause.tail),
                pause.source.clone(),
                pause.standing.to_string(),
            ])
        })
    }

    /// The picture.
    #[must_use]
    pub fn still(&self) -> Still {
        let causes = self
            .causes
            .iter()
            .rev()
            .map(|cause| format!("{} up to {}", cause.name, length_mark(cause.longest())));
        let description = format!("{} {}.", self.title, causes.collect::<Vec<_>>().join("; "));
        let height = 120 + LEGEND + 26 * self.causes.len() as u32;
        draw((760, height), description, self.to_string(), |area| self.paint(area))
    }

    fn paint(&self, area: &DrawingArea<SVGBackend<'_>, Shift>) -> DrawResult {
        let rows = self.causes.len();
        let (plot, legend) = area.split_vertically(area.dim_in_pixel().1 - LEGEND);
        let mut chart = ChartBuilder::on(&plot)
            .caption(&self.title, ("sans-serif", 18).into_font().color(&INK))
            .margin(16)
            .margin_right(28)
            .x_label_area_size(46)
            .y_label_area_size(NAMES)
            .build_cartesian_2d((1e-4..100.0).log_scale(), -0.6..rows as f64 - 0.4)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .light_line_style(WHITE)
            .bold_line_style(GRID)
            .axis_style(INK)
            .label_style(("sans-serif", 13).into_font().color(&INK))
            .x_desc("length of the pause")
            .x_label_formatter(&|length| length_mark(*length))
            .draw()?;
        if let Some(lease) = self.lease.map(|lease| lease.as_secs_f64()) {
            let line = [(lease, -0.6), (lease, rows as f64 - 0.4)];
            chart.draw_series(DashedLineSeries::new(line, 5, 4, INK.stroke_width(1)))?;
        }
        for (row, cause) in self.causes.iter().enumerate() {
            if let (Some(from), Some(to)) = (cause.typical_s, cause.longest_s) {
                let line = [(from, row as f64), (to, row as f64)];
                chart.draw_series([PathElement::new(line, GRID.stroke_width(4))])?;
            }
        }
        let marks = |length: fn(&Cause) -> Option<f64>| {
            let rows = self.causes.iter().enumerate();
            rows.filter_map(move |(row, cause)| length(cause).map(|length| (length, row as f64)))
        };
        chart.draw_series(marks(|cause| cause.typical_s).map(dot))?;
        chart.draw_series(marks(|cause| cause.longest_s).map(triangle))?;
        self.paint_names(&plot, &chart)?;
        self.paint_legend(&legend)
    }

    /// The legend stands below the axis, where no data can be behind it.
    fn paint_legend(&self, area: &DrawingArea<SVGBackend<'_>, Shift>) -> DrawResult {
        let style = ("sans-serif", 13).into_font().color(&INK);
        let style = style.pos(Pos::new(HPos::Left, VPos::Center));
        let (left, middle) = (NAMES as i32 + 16, 6);
        area.draw(&dot((left, middle)))?;
        area.draw_text("typical", &style, (left + 12, middle))?;
        area.draw(&triangle((left + 90, middle + 1)))?;
        area.draw_text("long", &style, (left + 102, middle))?;
        if let Some(lease) = self.lease {
            let line = [(left + 170, middle), (left + 192, middle)];
            area.draw(&PathElement::new(line, INK.stroke_width(1)))?;
            let name = format!("a lease of {}", length_mark(lease.as_secs_f64()));
            area.draw_text(&name, &style, (left + 198, middle))?;
        }
        Ok(())
    }

    /// The names stand to the left of the rows, each at the height of its row.
    fn paint_names(
        &self,
        area: &DrawingArea<SVGBackend<'_>, Shift>,
        chart: &ChartContext<'_, SVGBackend<'_>, Cartesian2d<LogCoord<f64>, RangedCoordf64>>,
    ) -> DrawResult {
        let font = ("sans-serif", 13).into_font().color(&INK);
        let style = font.pos(Pos::new(HPos::Right, VPos::Center));
        for (row, cause) in self.causes.iter().enumerate() {
            let (x, y) = chart.backend_coord(&(1e-4, row as f64));
            area.draw_text(&cause.name, &style, (x - 12, y))?;
        }
        Ok(())
    }

    /// Shows the chart in a notebook.
    pub fn evcxr_display(&self) {
        self.still().evcxr_display();
    }
}

impl fmt::Display for ReportedPauseChart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table().fmt(f)
    }
}

fn dot<C>(at: C) -> Circle<C, i32> {
    Circle::new(at, 5, PALETTE[0].filled())
}

fn triangle<C>(at: C) -> TriangleMarker<C, i32> {
    TriangleMarker::new(at, 7, PALETTE[1].filled())
}

impl Cause {
    fn longest(&self) -> f64 {
        self.longest_s.or(self.typical_s).unwrap_or(0.0)
    }
}
