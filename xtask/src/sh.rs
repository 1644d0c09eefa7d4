//! Runs other programs, and says which one failed.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::place;

/// A command that runs at the root of the repository.
pub(crate) fn command<I, A>(program: impl AsRef<OsStr>, arguments: I) -> Command
where
    I: IntoIterator<Item = A>,
    A: AsRef<OsStr>,
{
    let mut command = Command::new(program);
    command.args(arguments).current_dir(place::root());
    command
}

/// Cargo, as the one that runs this.
pub(crate) fn cargo<I, A>(arguments: I) -> Command
where
    I: IntoIterator<Item = A>,
    A: AsRef<OsStr>,
{
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), arguments)
}

/// A program that an npm package brought.
pub(crate) fn npm_tool<I, A>(name: &str, arguments: I) -> Command
where
    I: IntoIterator<Item = A>,
    A: AsRef<OsStr>,
{
    command(place::at("node_modules/.bin").join(name), arguments)
}

/// Runs it, its output going where ours goes.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {}", line(command)))?;
    if !status.success() {
        bail!("{status}: {}", line(command));
    }
    Ok(())
}

/// Runs it; shows what it printed only where it failed. Gives its standard output.
pub(crate) fn quiet(command: &mut Command) -> Result<String> {
    let output =
        command.stdin(Stdio::null()).output().with_context(|| format!("cannot start {}", line(command)))?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        eprint!("{stdout}{}", String::from_utf8_lossy(&output.stderr));
        bail!("{}: {}", output.status, line(command));
    }
    Ok(stdout)
}

/// Runs it, passes its output through line by line, and gives it back too.
pub(crate) fn tee(command: &mut Command) -> Result<(bool, String)> {
    use std::io::{BufRead, BufReader};

    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", line(command)))?;
    let mut text = String::new();
    if let Some(stdout) = child.stdout.take() {
        for read in BufReader::new(stdout).lines() {
            let read = read?;
            println!("{read}");
            text.push_str(&read);
            text.push('\n');
        }
    }
    Ok((child.wait()?.success(), text))
}

/// The command as a person would type it, shortened.
fn line(command: &Command) -> String {
    let program =
        Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut line = program;
    for argument in command.get_args() {
        line.push(' ');
        line.push_str(&argument.to_string_lossy());
        if line.len() > 400 {
            line.push('…');
            break;
        }
    }
    line
}
