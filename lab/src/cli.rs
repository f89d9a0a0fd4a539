//! What a person types after `cargo lab`.

use crate::paths::{Lab, Library};
use crate::setup::Talk;
use crate::{
    book, check, doctor, gather, jupyter, pipe, record, reset, run, setup, simulate, sweep,
};
use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use std::process::ExitCode;

/// The workbook's command. Without a sub-command: sets up what is missing, then opens JupyterLab at
/// the first notebook.
#[derive(Debug, Parser)]
#[command(
    name = "cargo lab",
    bin_name = "cargo lab",
    version,
    args_conflicts_with_subcommands = true
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    open: OpenArgs,
}

#[derive(Debug, Args)]
struct OpenArgs {
    /// Print the address instead of opening a browser
    #[arg(long)]
    no_browser: bool,
    /// The port to listen on, on this machine alone [default: the first free one from 8888]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    port: Option<u16>,
}

#[derive(Debug, Args)]
struct SetupArgs {
    /// Compile the library with data frames as well, for notebooks that ask for them: some minutes,
    /// once
    #[arg(long)]
    frames: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Set up the environment in .lab/; what is there already is left alone
    Setup(SetupArgs),
    /// Check the environment, and say how to mend what is wrong with it
    Doctor,
    /// Run notebooks from top to bottom and report every cell that fails
    Run(run::Options),
    /// Show which exercises are solved
    Progress,
    /// Give a notebook back as it was; the one that is there is kept beside it
    Reset(reset::Options),
    /// Check the notebooks: text, numbers, exercises with their solutions and with wrong answers
    Check(check::Options),
    /// Run the notebooks and write them as a site that needs neither server nor network
    Book(book::Options),
    /// Measure how late a thread wakes that wants to wake every millisecond
    Record(record::Options),
    /// Run a scenario without Jupyter and print what came of it
    Simulate(simulate::Options),
    /// Run a sweep that a file describes, or one shard of it
    Sweep(sweep::Options),
    /// Put the shards of a sweep together
    Gather(gather::Options),
    /// Used by the set-up: compile the library as a kernel does
    #[command(hide = true)]
    WarmUp {
        /// What is compiled beside the library, as the first cells of notebooks say it
        more: Vec<String>,
    },
}

/// Does what the command line says.
///
/// # Errors
///
/// Whatever goes wrong, in words for the person who typed it.
pub fn main() -> Result<ExitCode> {
    pipe::end_quietly_when_closed();
    let cli = Cli::parse();
    let Some(command) = cli.command else {
        let lab = Lab::here()?;
        setup::run(&lab, Talk::WorkOnly)?;
        let options = jupyter::Options { browser: !cli.open.no_browser, port: cli.open.port };
        return jupyter::open(&lab, &options).map(|()| ExitCode::SUCCESS);
    };
    // What needs no environment runs also where the program was copied to, without a checkout.
    match command {
        Command::Setup(SetupArgs { frames }) => {
            let library = if frames { Library::Frames } else { Library::Plain };
            let lab = Lab::here()?.with(library);
            setup::run(&lab, Talk::Everything).map(|()| ExitCode::SUCCESS)
        }
        Command::Doctor => doctor::main(&Lab::here()?),
        Command::Run(options) => {
            let lab = Lab::here()?;
            setup::run(&lab.with(run::library_for(&options.notebooks)), Talk::WorkOnly)?;
            run::main(&lab, &options)
        }
        Command::Progress => {
            reset::print_progress(&Lab::here()?);
            Ok(ExitCode::SUCCESS)
        }
        Command::Reset(options) => reset::main(&Lab::here()?, &options).map(|()| ExitCode::SUCCESS),
        Command::Check(options) => {
            let lab = Lab::here()?;
            let library = run::library_for(&check::chosen(&lab, &options)?);
            setup::run(&lab.with(library), Talk::WorkOnly)?;
            check::main(&lab, &options)
        }
        Command::Book(options) => {
            let lab = Lab::here()?;
            let library = run::library_for(&book::chosen(&lab, &options.notebooks)?);
            setup::run(&lab.with(library), Talk::WorkOnly)?;
            book::main(&lab, &options).map(|()| ExitCode::SUCCESS)
        }
        Command::Record(options) => record::main(&options).map(|()| ExitCode::SUCCESS),
        Command::Simulate(options) => simulate::main(&options).map(|()| ExitCode::SUCCESS),
        Command::Sweep(options) => sweep::main(&options).map(|()| ExitCode::SUCCESS),
        Command::Gather(options) => gather::main(&options).map(|()| ExitCode::SUCCESS),
        Command::WarmUp { more } => {
            setup::template::compile_as_a_kernel(&more).map(|()| ExitCode::SUCCESS)
        }
    }
}
