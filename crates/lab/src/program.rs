//! Commands of the measured program: their output, processor time and memory.

use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

use crate::Failure;

/// A finished command.
#[derive(Clone, Debug)]
pub(crate) struct Finished {
    /// The exit code; that of a signal is negative.
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// Processor time and elapsed time.
    pub(crate) cpu_seconds: f64,
    pub(crate) seconds: f64,
    /// Peak memory in bytes.
    pub(crate) peak: u64,
}

impl Finished {
    /// The output, if the command ended with success or with a verdict.
    pub(crate) fn checked(self) -> Result<Self, Failure> {
        match self.code {
            0..=4 => Ok(self),
            code => Err(format!("exit code {code}: {}", self.stderr.trim()).into()),
        }
    }
}

/// The path of the measured program.
pub(crate) fn fairdeal() -> Result<String, Failure> {
    let built = || {
        let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
        Path::new(&target).join("release/fairdeal")
    };
    let path = std::env::var_os("FAIRDEAL").map_or_else(built, PathBuf::from);
    absolute(&path)
}

/// An existing path that other folders can use too.
pub(crate) fn absolute(path: &Path) -> Result<String, Failure> {
    let found = path.canonicalize();
    let found = found.map_err(|error| {
        let path = path.display();
        format!("{path}: {error}; build the program with --release, or set FAIRDEAL")
    })?;
    Ok(found.display().to_string())
}

/// Runs a command of bash in a folder, with a cache of its own there.
pub(crate) fn output(command: &str, folder: &Path) -> Result<Finished, Failure> {
    output_with(command, folder, &[])
}

/// Runs a command of bash in a folder with more environment variables.
pub(crate) fn output_with(
    command: &str,
    folder: &Path,
    environment: &[(&str, &str)],
) -> Result<Finished, Failure> {
    let (stdout, stderr) = (folder.join(".stdout"), folder.join(".stderr"));
    let begun = Instant::now();
    let child = Command::new("bash")
        .args(["-o", "pipefail", "-c", command])
        .current_dir(folder)
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .env(
            "PATH",
            format!("{}:/usr/games", std::env::var("PATH").unwrap_or_default()),
        )
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .stdout(File::create(&stdout)?)
        .stderr(File::create(&stderr)?)
        .spawn()?;
    let (status, usage) = wait(child.id() as libc::pid_t)?;
    let seconds = begun.elapsed().as_secs_f64();
    let of = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
    let text = |path: &Path| -> Result<String, Failure> {
        Ok(String::from_utf8_lossy(&std::fs::read(path)?).into_owned())
    };
    Ok(Finished {
        code: status
            .code()
            .unwrap_or_else(|| -status.signal().unwrap_or(1)),
        stdout: text(&stdout)?,
        stderr: text(&stderr)?,
        cpu_seconds: of(usage.ru_utime) + of(usage.ru_stime),
        seconds,
        peak: usage.ru_maxrss as u64 * 1024,
    })
}

/// Waits for a child and returns its status and the resources of it and of its own children.
#[allow(
    unsafe_code,
    reason = "the standard library does not return the resources of a child"
)]
fn wait(child: libc::pid_t) -> Result<(ExitStatus, libc::rusage), Failure> {
    let mut status = 0;
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both pointers are valid for writes, and all bytes zero are a valid `rusage`.
    let (ended, usage) = unsafe {
        let ended = libc::wait4(child, &raw mut status, 0, usage.as_mut_ptr());
        (ended, usage.assume_init())
    };
    match ended == child {
        true => Ok((ExitStatus::from_raw(status), usage)),
        false => Err(std::io::Error::last_os_error().into()),
    }
}
