//! What a cell gives, as the notebook format has it.

use jupyter_protocol::JupyterMessage;
use serde_json::{Value, json};
use std::time::Instant;

/// What running a cell gave.
#[derive(Debug, Default)]
pub struct Ran {
    /// In the order in which they came.
    pub outputs: Vec<Output>,
    /// The number that Jupyter shows beside the cell.
    pub execution_count: Option<u64>,
    /// When the first picture came.
    pub picture_at: Option<Instant>,
}

/// One output of a cell, as the notebook format has it.
#[derive(Debug, Clone)]
pub enum Output {
    /// What was printed.
    Stream {
        /// `stdout` or `stderr`.
        name: String,
        /// The text.
        text: String,
    },
    /// What is shown, by MIME type.
    Shown {
        /// The number that Jupyter shows beside it, for the cell's result.
        execution_count: Option<u64>,
        /// The contents.
        data: Value,
    },
    /// An error that the kernel reports, such as one by the compiler.
    Error {
        /// What it is, in a sentence.
        message: String,
        /// The same with the source around it, in colours for a terminal.
        traceback: Vec<String>,
    },
}

impl Ran {
    /// Notes what a message from the kernel says about the cell.
    pub(super) fn note(&mut self, message: &JupyterMessage) {
        let content = content(message);
        match message.header.msg_type.as_str() {
            "execute_input" => self.execution_count = content["execution_count"].as_u64(),
            "stream" => self.print(&content),
            "execute_result" | "display_data" => {
                let output = Output::Shown {
                    execution_count: content["execution_count"].as_u64(),
                    data: content["data"].clone(),
                };
                if output.is_picture() {
                    self.picture_at.get_or_insert_with(Instant::now);
                }
                self.outputs.push(output);
            }
            "error" => self.outputs.push(Output::Error {
                message: content["evalue"].as_str().unwrap_or_default().to_owned(),
                traceback: lines(&content["traceback"]),
            }),
            _ => {}
        }
    }

    /// Lines come one by one; the notebook keeps those that follow one another as one output.
    fn print(&mut self, content: &Value) {
        let name = content["name"].as_str().unwrap_or_default().to_owned();
        let more = content["text"].as_str().unwrap_or_default();
        match self.outputs.last_mut() {
            Some(Output::Stream { name: same, text }) if *same == name => text.push_str(more),
            _ => self.outputs.push(Output::Stream { name, text: more.to_owned() }),
        }
    }

    /// Whether the process that runs cells has died of this one.
    pub(super) fn lost_its_process(&self) -> bool {
        self.outputs.iter().any(|output| {
            matches!(output, Output::Error { message, .. }
                if message.contains("Subprocess terminated"))
        })
    }
}

/// A list of texts.
pub(super) fn lines(value: &Value) -> Vec<String> {
    let items = value.as_array().into_iter().flatten();
    items.filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

impl Output {
    /// The text of one MIME type, if this output shows it.
    #[must_use]
    pub fn shown(&self, mime_type: &str) -> Option<&str> {
        match self {
            Output::Shown { data, .. } => data[mime_type].as_str(),
            _ => None,
        }
    }

    /// Whether it shows a picture: anything but text, and not one of our own error boxes.
    #[must_use]
    pub fn is_picture(&self) -> bool {
        let Output::Shown { data: Value::Object(data), .. } = self else { return false };
        let html = self.shown("text/html").unwrap_or_default();
        super::verdict::box_in(html).is_none()
            && data.keys().any(|kind| kind == "text/html" || kind.starts_with("image/"))
    }

    /// As it stands in a notebook.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match self {
            Output::Stream { name, text } => {
                json!({ "output_type": "stream", "name": name, "text": text })
            }
            Output::Shown { execution_count: Some(count), data } => json!({
                "output_type": "execute_result",
                "execution_count": count,
                "data": data,
                "metadata": {},
            }),
            Output::Shown { execution_count: None, data } => {
                json!({ "output_type": "display_data", "data": data, "metadata": {} })
            }
            Output::Error { message, traceback } => json!({
                "output_type": "error",
                "ename": "Error",
                "evalue": message,
                "traceback": traceback,
            }),
        }
    }
}

/// What a message says, as JSON.
pub(super) fn content(message: &JupyterMessage) -> Value {
    serde_json::to_value(&message.content).unwrap_or_default()
}
