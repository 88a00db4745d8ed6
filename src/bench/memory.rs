//! The memory that this process takes.

/// Memory of this process, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessMemory {
    /// The most that it has had.
    pub peak_bytes: u64,
    /// Those that it has now that are pages of files.
    pub file_bytes: u64,
}

impl ProcessMemory {
    /// The memory up to now; `None` where the system does not tell: only Linux does.
    #[must_use]
    pub fn now() -> Option<Self> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let bytes = |name: &str| -> Option<u64> {
            let line = status.lines().find(|line| line.starts_with(name))?;
            let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
            Some(kibibytes * 1024)
        };
        Some(Self {
            peak_bytes: bytes("VmHWM:")?,
            file_bytes: bytes("RssFile:")?,
        })
    }
}
