//! `fairdeal serve`

use std::io::{self, Write as _};
use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;

use fairdeal::Error;
use fairdeal::serve::{JobsAtOnce, Limits, Listen, PagesRequest, ServeRequest, Server};
use fairdeal::threads::Threads;

use super::signals::Interrupt;
use super::threads::ThreadOptions;
use super::{cache, log, output, values};

/// The default port.
const PORT: u16 = 7474;

/// Default number of jobs at once.
const JOBS: JobsAtOnce = JobsAtOnce::constant(2);

const EXAMPLES: &str = "\
Examples:
  fairdeal serve
  fairdeal serve --port 0 --folder ~/bridge/reports
  fairdeal serve --listen 0.0.0.0 --host laptop.local";

/// Serve the pages for a browser on this computer
///
/// Prints the address of the pages: audit files or pasted deals, deal sets of boards, compute exact
/// tables, start and compare runs. Reports are the same as those of the commands and are in the
/// same folder. Only this computer can connect unless --listen is given. Ctrl-C ends the server;
/// runs save their state first and can be resumed.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct ServeArguments {
    /// Port of the address; 0 takes any that is free
    #[arg(long, value_name = "N", help_heading = "Address", default_value_t = PORT)]
    port: u16,

    /// Let other computers connect, at this address of this computer
    ///
    /// Such as 0.0.0.0 for all of them. Clients need the token in the printed address. The
    /// connection is not encrypted: use it in a network that you trust.
    #[arg(long, value_name = "ADDRESS", help_heading = "Address")]
    listen: Option<IpAddr>,

    /// Name of this computer in addresses that clients use; repeatable
    #[arg(long, value_name = "NAME", help_heading = "Address", requires = "listen",
        value_parser = values::line)]
    host: Vec<String>,

    /// Folder of the reports
    #[arg(
        long,
        value_name = "DIR",
        help_heading = "Output",
        default_value = "reports/runs"
    )]
    folder: PathBuf,

    /// Number of jobs at once, beside one run; others wait
    #[arg(long, value_name = "N", help_heading = "Computation", default_value_t = JOBS)]
    jobs: JobsAtOnce,

    #[command(flatten)]
    threads: ThreadOptions,

    /// Print only the address
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

pub(super) fn execute(arguments: &ServeArguments) -> Result<(), Error> {
    let jobs = arguments.jobs;
    let request = ServeRequest {
        listen: match arguments.listen {
            None => Listen::Local,
            Some(address) => Listen::Network {
                address,
                names: arguments.host.clone(),
            },
        },
        port: arguments.port,
        pages: PagesRequest {
            folder: arguments.folder.clone(),
            jobs,
            threads: arguments.threads.number().unwrap_or_else(|| {
                let share = Threads::all().get() as u64 / jobs.get();
                Threads::new(share).unwrap_or(Threads::ONE)
            }),
            limits: Limits::default(),
            watch: None,
        },
    };
    let server = Server::bind(&request, cache::listings()?)?;
    let interrupt = Interrupt::listen()?;
    output::unless_closed(print(&server.url()))?;
    if !arguments.quiet {
        log::note("Ctrl-C ends the server; runs save their state and can be resumed")?;
    }
    server.serve(&|| interrupt.is_asked())
}

/// Prints the address.
fn print(url: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{url}")?;
    stdout.flush()
}
