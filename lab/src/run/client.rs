//! A kernel seen from Jupyter's side: cells go in, outputs come out.

use super::connect::{Control, Shell, connect, spawn};
use super::output::{Ran, content};
use crate::kernel::folder;
use crate::paths::Lab;
use crate::steps::remove_file_if_there;
use anyhow::{Context, Result, bail};
use jupyter_protocol::{ExecuteRequest, JupyterMessage, KernelInfoRequest, ShutdownRequest};
use rustix::process::{Pid, Signal, kill_process_group};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::process::Child;
use tokio::sync::mpsc;
use tokio::time::{timeout, timeout_at};

/// How long a kernel may take to start. It is long because the library may have to be compiled.
const START_LIMIT: Duration = Duration::from_secs(180);
/// How long a kernel may take to end when asked to.
const END_LIMIT: Duration = Duration::from_secs(5);
/// Between two tries to reach a kernel that is just starting.
pub(super) const BETWEEN_TRIES: Duration = Duration::from_millis(50);
/// Lines that a cell printed at its very end are sent by another thread of the kernel, so they may
/// come a little after the word that the cell has ended.
const LAST_WORDS: Duration = Duration::from_millis(20);

/// A running kernel. It is ended by [`Kernel::end`], or roughly when dropped.
#[derive(Debug)]
pub struct Kernel {
    lab: Lab,
    process: Child,
    connection_file: PathBuf,
    shell: Shell,
    control: Control,
    messages: mpsc::UnboundedReceiver<Message>,
}

/// What the kernel says: on its shell channel, answers; on its iopub channel, everything else.
#[derive(Debug)]
pub(super) enum Message {
    Answer(JupyterMessage),
    Told(JupyterMessage),
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
    /// Starts a kernel in a notebook's folder and waits until it answers. It keeps no progress.
    ///
    /// # Errors
    ///
    /// If it does not start, or does not answer in time.
    pub async fn start(lab: &Lab, folder: &Path) -> Result<Kernel> {
        Kernel::start_with(lab, folder, None).await
    }

    /// The same, with a file for the progress.
    ///
    /// # Errors
    ///
    /// If it does not start, or does not answer in time.
    pub async fn start_with(lab: &Lab, folder: &Path, progress: Option<&Path>) -> Result<Kernel> {
        let (info, connection_file, mut process) = spawn(lab, folder, progress).await?;
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
                        note(&mut ran, &message, &request);
                    }
                    Ok(None) => return (ran, Some(Stop::KernelDied)),
                    Err(_) => return (ran, Some(Stop::TooLong(limit))),
                },
                _ = self.process.wait() => return (ran, Some(Stop::KernelDied)),
            }
        }
        while let Ok(Some(message)) = timeout(LAST_WORDS, self.messages.recv()).await {
            note(&mut ran, &message, &request);
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

fn note(ran: &mut Ran, message: &Message, request: &JupyterMessage) {
    if let Message::Told(told) = message
        && is_about(told, request)
    {
        ran.note(told);
    }
}
