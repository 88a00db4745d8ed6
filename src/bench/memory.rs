//! Memory use of this process.

/// Memory use of this process, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessMemory {
    /// Peak resident memory.
    pub peak_bytes: u64,
    /// Resident memory at present.
    pub resident_bytes: u64,
    /// Resident memory that is pages of files, at present.
    pub file_bytes: u64,
}

impl ProcessMemory {
    /// Reads the memory use now; `None` if the system does not report it: only Linux does.
    pub fn now() -> Option<Self> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let bytes = |name: &str| -> Option<u64> {
            let line = status.lines().find(|line| line.starts_with(name))?;
            let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
            Some(kibibytes * 1024)
        };
        Some(Self {
            peak_bytes: bytes("VmHWM:")?,
            resident_bytes: bytes("VmRSS:")?,
            file_bytes: bytes("RssFile:")?,
        })
    }
}
