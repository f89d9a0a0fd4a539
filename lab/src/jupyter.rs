//! Opens JupyterLab: on this machine alone, for this user alone, until Ctrl-C.

use crate::environment;
use crate::paths::Lab;
use crate::setup::kernelspec;
use crate::steps::write_whole;
use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::process::{Command as BlockingCommand, ExitStatus, Stdio};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{sleep, timeout};
use uuid::Uuid;

/// Jupyter's usual port and those behind it; people know them.
const USUAL_PORTS: std::ops::Range<u16> = 8888..8908;
/// How long JupyterLab may take to answer, and to end.
const START_LIMIT: Duration = Duration::from_secs(60);
const END_LIMIT: Duration = Duration::from_secs(15);
const BETWEEN_TRIES: Duration = Duration::from_millis(100);

/// A module for the server, and what it is called there: how to meet a kernel that starts slowly.
const CONNECTION: &str = include_str!("jupyter/fencing_connection.py");
const CONNECTION_MODULE: &str = "fencing_connection";

/// What the reader asked for.
#[derive(Debug)]
pub struct Options {
    /// Whether to open a browser.
    pub browser: bool,
    /// Which port to use; any free one otherwise.
    pub port: Option<u16>,
}

/// Opens JupyterLab at the first notebook and waits until it ends.
///
/// # Errors
///
/// If the port is taken, or JupyterLab does not start.
pub fn open(lab: &Lab, options: &Options) -> Result<()> {
    let runtime = tokio::runtime::Runtime::new().context("could not start the async runtime")?;
    runtime.block_on(serve(lab, options))
}

async fn serve(lab: &Lab, options: &Options) -> Result<()> {
    let port = choose_port(options.port)?;
    // Only who knows the token gets in, and other users of the machine do not.
    let token = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
    let address = format!("http://127.0.0.1:{port}/lab{}?token={token}", first_notebook(lab));
    let log = lab.jupyter().join("server.log");
    let mut ends = Ends::new()?;
    let mut server = start(lab, port, &token, &log)?;
    tokio::select! {
        ready = wait_until_ready(&mut server, port, &token) => {
            ready.with_context(|| format!("JupyterLab did not start; see {}", log.display()))?;
        }
        () = ends.next() => return end(&mut server).await,
    }
    if options.browser && open_browser(&address) {
        println!("\nJupyterLab is open in the browser, or at this address:");
    } else {
        println!("\nJupyterLab is running. Open this address in a browser:");
    }
    println!("\n    {address}\n\nCtrl-C ends it and its kernels. Its log is {}.", log.display());
    tokio::select! {
        status = server.wait() => ended_by_itself(status.context("could not wait")?, &log),
        () = ends.next() => end(&mut server).await,
    }
}

/// The requests to end: Ctrl-C, a plain `kill`, the terminal's window closed.
struct Ends([tokio::signal::unix::Signal; 3]);

impl Ends {
    fn new() -> Result<Ends> {
        let listen = |kind| signal(kind).context("could not listen for Ctrl-C");
        Ok(Ends([
            listen(SignalKind::interrupt())?,
            listen(SignalKind::terminate())?,
            listen(SignalKind::hangup())?,
        ]))
    }

    async fn next(&mut self) {
        let [a, b, c] = &mut self.0;
        tokio::select! { _ = a.recv() => {}, _ = b.recv() => {}, _ = c.recv() => {} }
    }
}

/// The port asked for if it is free, else the first usual one that is, else any.
fn choose_port(wanted: Option<u16>) -> Result<u16> {
    let is_free = |port: &u16| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok();
    if let Some(port) = wanted {
        if !is_free(&port) {
            bail!("port {port} is in use or not allowed: name another, or leave --port out");
        }
        return Ok(port);
    }
    if let Some(port) = USUAL_PORTS.into_iter().find(is_free) {
        return Ok(port);
    }
    let any = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("there is no free port")?;
    Ok(any.local_addr().context("there is no free port")?.port())
}

/// The part of the address that opens notebook 00, if it is there.
fn first_notebook(lab: &Lab) -> String {
    let entries = fs::read_dir(lab.notebooks()).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension() == Some(OsStr::new("ipynb")))
        .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    names.first().map_or_else(String::new, |name| format!("/tree/notebooks/{name}"))
}

fn start(lab: &Lab, port: u16, token: &str, log: &PathBuf) -> Result<Child> {
    fs::create_dir_all(lab.jupyter())
        .with_context(|| format!("could not create the folder {}", lab.jupyter().display()))?;
    let (out, err) = open_log(log)?;
    let modules = lab.jupyter().join("modules");
    fs::create_dir_all(&modules)
        .with_context(|| format!("could not create the folder {}", modules.display()))?;
    write_whole(&modules.join(format!("{CONNECTION_MODULE}.py")), CONNECTION)?;
    let mut command = Command::new(lab.python_program());
    command.args(["-m", "jupyterlab", "--no-browser"]);
    command.args(settings(lab, port)).current_dir(lab.root());
    set_folders(command.as_std_mut(), lab);
    command.env("PYTHONPATH", modules);
    // In the environment, because other users can see the command line.
    command.env("JUPYTER_TOKEN", token);
    // In a group of its own: Ctrl-C is for us, and Jupyter would ask whether it is meant.
    command.process_group(0).stdin(Stdio::null()).stdout(out).stderr(err);
    command.kill_on_drop(true);
    command.spawn().context("could not start JupyterLab: run `cargo lab doctor`")
}

/// The log holds the token, so it is for its owner alone.
fn open_log(path: &PathBuf) -> Result<(File, File)> {
    let open = || OpenOptions::new().create(true).write(true).truncate(true).mode(0o600).open(path);
    let log = open().with_context(|| format!("could not write {}", path.display()))?;
    let again = log.try_clone().with_context(|| format!("could not write {}", path.display()))?;
    Ok((log, again))
}

fn settings(lab: &Lab, port: u16) -> Vec<String> {
    let mut settings = vec![
        "--ServerApp.ip=127.0.0.1".to_owned(),
        format!("--ServerApp.port={port}"),
        "--ServerApp.port_retries=0".to_owned(),
        format!("--ServerApp.root_dir={}", lab.root().display()),
        // The first kernel after a change of the library compiles it.
        "--MappingKernelManager.kernel_info_timeout=300".to_owned(),
        format!("--ServerApp.kernel_websocket_connection_class={CONNECTION_MODULE}.Connection"),
        // A figure with controls is close to a megabyte; the server drops outputs beyond its limit.
        "--ZMQChannelsWebsocketConnection.iopub_data_rate_limit=20000000".to_owned(),
        // The kernels to choose from are ours: Jupyter's own for Python is not what notebooks need.
        "--KernelSpecManager.ensure_native_kernel=False".to_owned(),
        format!("--KernelSpecManager.allowed_kernelspecs={}", kernelspec::NAME),
        format!("--KernelSpecManager.allowed_kernelspecs={}", kernelspec::NAME_WITH_FRAMES),
    ];
    // Jupyter asks for this word before it runs as root, as people do in containers.
    if rustix::process::getuid().is_root() {
        settings.push("--allow-root".to_owned());
    }
    settings
}

/// Everything that Jupyter would keep in the user's home stays in the checkout.
pub(crate) fn set_folders(command: &mut BlockingCommand, lab: &Lab) {
    for (name, _) in std::env::vars_os() {
        let of_jupyter = name.to_string_lossy().starts_with("JUPYTER");
        if of_jupyter || environment::disturbs(&name) {
            command.env_remove(name);
        }
    }
    let places = [
        ("JUPYTER_CONFIG_DIR", "config"),
        ("JUPYTER_DATA_DIR", "data"),
        ("JUPYTER_RUNTIME_DIR", "runtime"),
        ("JUPYTERLAB_SETTINGS_DIR", "settings"),
        ("JUPYTERLAB_WORKSPACES_DIR", "workspaces"),
        ("IPYTHONDIR", "ipython"),
    ];
    for (variable, place) in places {
        command.env(variable, lab.jupyter().join(place));
    }
    // Otherwise settings of other Jupyter installations on the machine come first.
    command.env("JUPYTER_PREFER_ENV_PATH", "1").env_remove("PYTHONPATH").env_remove("PYTHONHOME");
}

async fn wait_until_ready(server: &mut Child, port: u16, token: &str) -> Result<()> {
    let ready = async {
        while !answers(port, token).await {
            sleep(BETWEEN_TRIES).await;
        }
    };
    tokio::select! {
        in_time = timeout(START_LIMIT, ready) => in_time.context("it does not answer"),
        status = server.wait() => match status {
            Ok(status) => bail!("it ended at once ({status})"),
            Err(error) => Err(error).context("could not wait for it"),
        },
    }
}

/// Whether the server, and no other program, answers.
async fn answers(port: u16, token: &str) -> bool {
    let ask = async {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
        let request = format!(
            "GET /api/status HTTP/1.0\r\nHost: 127.0.0.1\r\nAuthorization: token {token}\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        stream.take(64).read_to_end(&mut answer).await?;
        Ok::<_, std::io::Error>(answer)
    };
    let answer = timeout(Duration::from_secs(5), ask).await;
    answer.is_ok_and(|answer| {
        answer.is_ok_and(|text| String::from_utf8_lossy(&text).contains(" 200 "))
    })
}

/// Opens the reader's browser; whether there is one to try.
fn open_browser(address: &str) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if set("DISPLAY") || set("WAYLAND_DISPLAY") {
        "xdg-open"
    } else {
        return false;
    };
    BlockingCommand::new(program)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .is_ok()
}

/// Asks JupyterLab to end, which ends the kernels too, and does not wait for ever.
async fn end(server: &mut Child) -> Result<()> {
    println!("\nEnding JupyterLab ...");
    let number = server.id().and_then(|number| i32::try_from(number).ok());
    if let Some(process) = number.and_then(Pid::from_raw) {
        kill_process(process, Signal::TERM).context("could not end JupyterLab")?;
    }
    if timeout(END_LIMIT, server.wait()).await.is_err() {
        server.kill().await.context("could not end JupyterLab")?;
    }
    Ok(())
}

/// A reader can also end it from the page's menu, which is no fault.
fn ended_by_itself(status: ExitStatus, log: &std::path::Path) -> Result<()> {
    if !status.success() {
        bail!("JupyterLab ended ({status}); see {}", log.display());
    }
    println!("JupyterLab has ended.");
    Ok(())
}
