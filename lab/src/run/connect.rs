//! Starts a kernel as Jupyter does, and connects to it.

use super::client::{BETWEEN_TRIES, Message};
use super::output::lines;
use crate::environment;
use crate::paths::Lab;
use crate::setup::kernelspec;
use anyhow::{Context, Result, bail};
use fencing::workbook::progress::PROGRESS_FILE;
use jupyter_protocol::{ConnectionInfo, JupyterMessage, connection_info::Transport};
use jupyter_zmq_client as zmq;
use serde_json::Value;
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::process::{Child, Command};
use tokio::sync::mpsc;
use tokio::time::sleep;
use uuid::Uuid;

/// Starts the kernel in a notebook's folder: how to reach it, the file that says so, its process.
pub(super) async fn spawn(
    lab: &Lab,
    folder: &Path,
    progress: Option<&Path>,
) -> Result<(ConnectionInfo, PathBuf, Child)> {
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
    // A group of its own, so that it can be ended with all that it has started, and Ctrl-C does
    // not reach it.
    command.process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    // What is run here is not the reader's progress.
    command.env(PROGRESS_FILE, progress.unwrap_or(Path::new("")));
    for (name, _) in std::env::vars_os().filter(|(name, _)| environment::disturbs(name)) {
        command.env_remove(name);
    }
    let process = command.spawn().context("could not start the kernel")?;
    drop(listeners);
    Ok((info, connection_file, process))
}

/// The command in the kernelspec, the same that Jupyter uses.
fn command(lab: &Lab, connection_file: &Path) -> Result<Command> {
    let spec = fs::read_to_string(kernelspec::file(lab)).with_context(|| {
        let setup = lab.named("cargo lab setup", "cargo lab setup --frames");
        format!("the environment is not set up: run `{setup}`")
    })?;
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
    let variables = spec["env"].as_object().into_iter().flatten();
    command.envs(variables.filter_map(|(name, value)| Some((name, value.as_str()?))));
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

/// Where requests about cells go.
pub(super) struct Shell(pub(super) zmq::DealerSendConnection);
/// Where the request to end goes.
pub(super) struct Control(pub(super) zmq::ClientControlConnection);

impl fmt::Debug for Shell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shell")
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Control")
    }
}

type Channels = (Shell, Control, mpsc::UnboundedReceiver<Message>);

/// Connects to a kernel that may not listen yet.
pub(super) async fn connect(info: &ConnectionInfo, process: &mut Child) -> Result<Channels> {
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
        return Ok((Shell(shell), Control(control), messages));
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
