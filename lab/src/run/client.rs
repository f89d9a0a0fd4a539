//! A kernel seen from Jupyter's side: started by the kernelspec's command, spoken to over ZeroMQ.

use crate::environment;
use crate::kernel::folder;
use crate::paths::Lab;
use crate::setup::kernelspec;
use crate::steps::remove_file_if_there;
use anyhow::{Context, Result, bail};
use jupyter_protocol::{ConnectionInfo, ExecuteRequest, JupyterMessage, KernelInfoRequest};
use jupyter_protocol::{ShutdownRequest, connection_info::Transport};
use jupyter_zmq_client as zmq;
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout, timeout_at};
use uuid::Uuid;

/// How long a kernel may take to start. It is long because the library may have to be compiled.
const START_LIMIT: Duration = Duration::from_secs(180);
/// How long a kernel may take to end when asked to.
const END_LIMIT: Duration = Duration::from_secs(5);
/// Between two tries to reach a kernel that is just starting.
const BETWEEN_TRIES: Duration = Duration::from_millis(50);
/// Lines that a cell printed at its very end are sent by another thread of the kernel, so they may
/// come a little after the word that the cell has ended.
const LAST_WORDS: Duration = Duration::from_millis(20);

/// A running kernel. It is ended by [`Kernel::end`], or roughly when dropped.
#[derive(Debug)]
pub struct Kernel {
    lab: Lab,
    process: Child,
    connection_file: PathBuf,
    shell: ShellSender,
    control: ControlConnection,
    messages: mpsc::UnboundedReceiver<Message>,
}

struct ShellSender(zmq::DealerSendConnection);
struct ControlConnection(zmq::ClientControlConnection);

impl std::fmt::Debug for ShellSender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ShellSender")
    }
}

impl std::fmt::Debug for ControlConnection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ControlConnection")
    }
}

/// What the kernel says: on its shell channel, answers; on its iopub channel, everything else.
#[derive(Debug)]
enum Message {
    Answer(JupyterMessage),
    Told(JupyterMessage),
}

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

/// Why a cell did not come to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// The process that runs the cells died; the kernel has started another and can go on.
    CellsLost,
    /// The kernel itself has died.
    KernelDied,
    /// The cell took longer than it may.
    TooLong(Duration),
}

impl Kernel {
    /// Starts a kernel in a notebook's folder and waits until it answers.
    ///
    /// # Errors
    ///
    /// If it does not start, or does not answer in time.
    pub async fn start(lab: &Lab, folder: &Path) -> Result<Kernel> {
        let (info, connection_file, mut process) = spawn(lab, folder).await?;
        let connecting = connect(&info, &mut process);
        let connected = timeout(START_LIMIT, connecting).await;
        let (shell, control, messages) = match connected.context("the kernel did not start in time")
        {
            Ok(Ok(connected)) => connected,
            Ok(Err(error)) | Err(error) => {
                kill(&mut process).await;
                remove_file_if_there(&connection_file)?;
                return Err(error);
            }
        };
        let mut kernel =
            Kernel { lab: lab.clone(), process, connection_file, shell, control, messages };
        match timeout(START_LIMIT, kernel.wait_for_first_answer()).await {
            Ok(Ok(())) => Ok(kernel),
            Ok(Err(error)) => {
                kernel.end().await;
                Err(error)
            }
            Err(_) => {
                kernel.end().await;
                bail!("the kernel did not answer in {} s", START_LIMIT.as_secs())
            }
        }
    }

    /// The process number of the kernel's guard, the one that Jupyter knows.
    #[must_use]
    pub fn process_number(&self) -> Option<u32> {
        self.process.id()
    }

    async fn wait_for_first_answer(&mut self) -> Result<()> {
        let request = JupyterMessage::new(KernelInfoRequest {}, None);
        self.shell.0.send(request.clone()).await.context("could not speak to the kernel")?;
        let mut waiting = Waiting::default();
        while !waiting.is_over() {
            tokio::select! {
                Some(message) = self.messages.recv() => waiting.note(&message, &request),
                _ = self.process.wait() => bail!("the kernel died while it was starting"),
            }
        }
        Ok(())
    }

    /// Runs a cell and waits for its end, but no longer than `limit`.
    pub async fn execute(&mut self, source: &str, limit: Duration) -> (Ran, Option<Stop>) {
        let deadline = tokio::time::Instant::now() + limit;
        let request = ExecuteRequest { stop_on_error: false, ..ExecuteRequest::new(source.into()) };
        let request = JupyterMessage::new(request, None);
        let mut ran = Ran::default();
        if self.shell.0.send(request.clone()).await.is_err() {
            return (ran, Some(Stop::KernelDied));
        }
        let mut waiting = Waiting::default();
        while !waiting.is_over() {
            tokio::select! {
                message = timeout_at(deadline, self.messages.recv()) => match message {
                    Ok(Some(message)) => {
                        waiting.note(&message, &request);
                        ran.note(&message, &request);
                    }
                    Ok(None) => return (ran, Some(Stop::KernelDied)),
                    Err(_) => return (ran, Some(Stop::TooLong(limit))),
                },
                _ = self.process.wait() => return (ran, Some(Stop::KernelDied)),
            }
        }
        while let Ok(Some(message)) = timeout(LAST_WORDS, self.messages.recv()).await {
            ran.note(&message, &request);
        }
        let lost = ran.lost_its_process();
        (ran, lost.then_some(Stop::CellsLost))
    }

    /// Ends the kernel: by asking, else by force, with all that it started.
    pub async fn end(mut self) {
        let request = JupyterMessage::new(ShutdownRequest { restart: false }, None);
        let _ = timeout(END_LIMIT, self.control.0.send(request)).await;
        if timeout(END_LIMIT, self.process.wait()).await.is_err() {
            kill(&mut self.process).await;
            let _ = folder::sweep(&self.lab);
        }
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        signal_group(&self.process);
        let _ = remove_file_if_there(&self.connection_file);
    }
}

async fn spawn(lab: &Lab, folder: &Path) -> Result<(ConnectionInfo, PathBuf, Child)> {
    let loopback = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let (ports, listeners) = zmq::peek_ports_with_listeners(loopback, 5)
        .await
        .context("could not find free ports on this machine")?;
    let [shell_port, iopub_port, stdin_port, control_port, hb_port] = ports[..] else {
        bail!("could not find free ports on this machine")
    };
    let info = ConnectionInfo {
        ip: loopback.to_string(),
        transport: Transport::TCP,
        shell_port,
        iopub_port,
        stdin_port,
        control_port,
        hb_port,
        key: Uuid::new_v4().to_string(),
        signature_scheme: "hmac-sha256".to_owned(),
        kernel_name: None,
    };
    let connection_file = write_connection_file(lab, &info)?;
    let mut command = command(lab, &connection_file)?;
    command.current_dir(folder);
    // Of its own, so that it can be ended with all that it has started, and Ctrl-C does not reach it.
    command.process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    for (name, _) in std::env::vars_os().filter(|(name, _)| environment::disturbs(name)) {
        command.env_remove(name);
    }
    let process = command.spawn().context("could not start the kernel")?;
    drop(listeners);
    Ok((info, connection_file, process))
}

/// The command in the kernelspec, the same that Jupyter uses.
fn command(lab: &Lab, connection_file: &Path) -> Result<Command> {
    let spec = fs::read_to_string(kernelspec::file(lab))
        .context("the environment is not set up: run `cargo lab setup`")?;
    let spec: Value = serde_json::from_str(&spec).context("the kernelspec is not JSON")?;
    let mut words = lines(&spec["argv"]).into_iter();
    let mut command = Command::new(words.next().context("the kernelspec has no command")?);
    for word in words {
        if word == "{connection_file}" {
            command.arg(connection_file);
        } else {
            command.arg(word);
        }
    }
    Ok(command)
}

/// Only its owner may read the file: who has the key can run code.
fn write_connection_file(lab: &Lab, info: &ConnectionInfo) -> Result<PathBuf> {
    let folder = lab.jupyter().join("runtime");
    fs::create_dir_all(&folder)
        .with_context(|| format!("could not create the folder {}", folder.display()))?;
    let path = folder.join(format!("run-{}.json", Uuid::new_v4()));
    let text = serde_json::to_string(info).context("could not write the connection file")?;
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .with_context(|| format!("could not write {}", path.display()))?;
    Ok(path)
}

type Channels = (ShellSender, ControlConnection, mpsc::UnboundedReceiver<Message>);

/// Connects to a kernel that may not listen yet.
async fn connect(info: &ConnectionInfo, process: &mut Child) -> Result<Channels> {
    let session = Uuid::new_v4().to_string();
    let identity = zmq::peer_identity_for_session(&session).context("could not name a session")?;
    loop {
        if process.try_wait().context("could not look after the kernel")?.is_some() {
            bail!("the kernel died while it was starting");
        }
        let iopub = zmq::create_client_iopub_connection(info, "", &session).await;
        let shell =
            zmq::create_client_shell_connection_with_identity(info, &session, identity.clone())
                .await;
        let control = zmq::create_client_control_connection(info, &session).await;
        let (Ok(iopub), Ok(shell), Ok(control)) = (iopub, shell, control) else {
            sleep(BETWEEN_TRIES).await;
            continue;
        };
        let (sender, messages) = mpsc::unbounded_channel();
        let (shell, answers) = shell.split();
        listen(answers, sender.clone(), Message::Answer);
        listen(iopub, sender, Message::Told);
        return Ok((ShellSender(shell), ControlConnection(control), messages));
    }
}

/// Reads a channel in a task of its own: to give up reading a message half-way would lose it.
fn listen<S>(
    mut channel: zmq::Connection<S>,
    to: mpsc::UnboundedSender<Message>,
    kind: fn(JupyterMessage) -> Message,
) where
    zmq::Connection<S>: Readable + Send + 'static,
{
    tokio::spawn(async move {
        loop {
            match channel.next().await {
                Ok(message) => {
                    let _ = to.send(kind(message));
                }
                // Not a message that this protocol knows, or the kernel is gone: whoever waits for
                // it notices by the process.
                Err(_) => sleep(BETWEEN_TRIES).await,
            }
            if to.is_closed() {
                return;
            }
        }
    });
}

/// The two kinds of channel that are read.
trait Readable {
    fn next(&mut self) -> impl Future<Output = zmq::Result<JupyterMessage>> + Send;
}

impl Readable for zmq::DealerRecvConnection {
    async fn next(&mut self) -> zmq::Result<JupyterMessage> {
        self.read().await
    }
}

impl Readable for zmq::ClientIoPubConnection {
    async fn next(&mut self) -> zmq::Result<JupyterMessage> {
        self.read().await
    }
}

/// Ends a kernel by force, with all that it has started.
async fn kill(process: &mut Child) {
    signal_group(process);
    let _ = process.wait().await;
}

fn signal_group(process: &Child) {
    let number = process.id().and_then(|number| i32::try_from(number).ok());
    if let Some(group) = number.and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// A request is over when it has been answered and the kernel is idle again.
#[derive(Debug, Default)]
struct Waiting {
    answered: bool,
    idle: bool,
}

impl Waiting {
    fn note(&mut self, message: &Message, request: &JupyterMessage) {
        match message {
            Message::Answer(answer) if is_about(answer, request) => self.answered = true,
            Message::Told(told) if is_about(told, request) => {
                self.idle |= content(told)["execution_state"] == "idle";
            }
            _ => {}
        }
    }

    fn is_over(&self) -> bool {
        self.answered && self.idle
    }
}

fn is_about(message: &JupyterMessage, request: &JupyterMessage) -> bool {
    message.parent_header.as_ref().is_some_and(|parent| parent.msg_id == request.header.msg_id)
}

fn content(message: &JupyterMessage) -> Value {
    serde_json::to_value(&message.content).unwrap_or_default()
}

impl Ran {
    fn note(&mut self, message: &Message, request: &JupyterMessage) {
        let Message::Told(message) = message else { return };
        if !is_about(message, request) {
            return;
        }
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

    fn lost_its_process(&self) -> bool {
        self.outputs.iter().any(|output| {
            matches!(output, Output::Error { message, .. }
                if message.contains("Subprocess terminated"))
        })
    }
}

fn lines(value: &Value) -> Vec<String> {
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
