//! Lines for the scheduler of a system, which starts a night every day.

use std::path::Path;

use clap::ValueEnum;

/// A scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Scheduler {
    /// Units of a user's systemd
    Systemd,
    /// A line of a crontab
    Cron,
    /// A command for the scheduler of Windows
    Windows,
}

/// Parses a time of day such as `22:00`.
pub(super) fn time(text: &str) -> Result<(u8, u8), String> {
    let parts = text.split_once(':');
    let time =
        parts.and_then(|(hours, minutes)| Some((hours.parse().ok()?, minutes.parse().ok()?)));
    let time = time.filter(|&(hours, minutes)| hours < 24 && minutes < 60);
    time.ok_or_else(|| format!("not a time of day such as 22:00: `{text}`"))
}

impl Scheduler {
    /// What starts `program night FILE` at this time every day.
    pub(super) fn lines(self, program: &Path, file: &Path, at: (u8, u8)) -> String {
        let (program, file, (hour, minute)) = (program.display(), file.display(), at);
        match self {
            Self::Systemd => format!(
                "# ~/.config/systemd/user/fairdeal-night.service
[Unit]
Description=Validation of dealt hands by fairdeal

[Service]
Type=oneshot
ExecStart=\"{program}\" night \"{file}\"
# INCONCLUSIVE and a stopped night are not failures.
SuccessExitStatus=4 130
Nice=19
TimeoutStopSec=5min

# ~/.config/systemd/user/fairdeal-night.timer
[Unit]
Description=Validation of dealt hands by fairdeal, every night

[Timer]
OnCalendar=*-*-* {hour:02}:{minute:02}
Persistent=true

[Install]
WantedBy=timers.target

# Then:
# systemctl --user daemon-reload
# systemctl --user enable --now fairdeal-night.timer
# loginctl enable-linger
"
            ),
            Self::Cron => format!("{minute} {hour} * * * \"{program}\" night \"{file}\"\n"),
            Self::Windows => format!(
                "schtasks /Create /TN fairdeal-night /SC DAILY /ST {hour:02}:{minute:02} /TR \
                 \"\\\"{program}\\\" night \\\"{file}\\\"\"\n"
            ),
        }
    }
}
