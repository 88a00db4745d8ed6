//! Selection of the instruction set.

#[cfg(target_arch = "aarch64")]
use std::arch::is_aarch64_feature_detected;
use std::fmt;
use std::sync::OnceLock;

/// A set of instructions that this processor has, with the kernels that use it.
///
/// All paths produce the same deals and counts; they differ only in speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isa(IsaKind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IsaKind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    #[cfg_attr(miri, allow(dead_code, reason = "Miri has no such instructions"))]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    #[cfg_attr(miri, allow(dead_code, reason = "Miri has no such instructions"))]
    Avx512,
    #[cfg(target_arch = "aarch64")]
    #[cfg_attr(miri, allow(dead_code, reason = "Miri has no such instructions"))]
    Neon,
}

/// Environment variable that forces a path, for tests and benchmarks.
pub const PATH_VARIABLE: &str = "FAIRDEAL_PATH";

impl Isa {
    /// Plain Rust, for every processor.
    pub const PORTABLE: Self = Self(IsaKind::Portable);

    /// Returns the paths of this processor, slowest first.
    pub fn available() -> &'static [Self] {
        static AVAILABLE: OnceLock<Vec<Isa>> = OnceLock::new();
        AVAILABLE.get_or_init(|| {
            #[cfg_attr(
                any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))),
                allow(unused_mut)
            )]
            let mut paths = vec![Self::PORTABLE];
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            {
                if has_avx2() {
                    paths.push(Self(IsaKind::Avx2));
                }
                if has_avx512() {
                    paths.push(Self(IsaKind::Avx512));
                }
            }
            #[cfg(all(target_arch = "aarch64", not(miri)))]
            if has_neon() {
                paths.push(Self(IsaKind::Neon));
            }
            paths
        })
    }

    /// Returns the path that `FAIRDEAL_PATH` names, or else the fastest path of this processor.
    ///
    /// Ignores a name that is unknown or that this processor does not support.
    pub fn chosen() -> Self {
        static CHOSEN: OnceLock<Isa> = OnceLock::new();
        *CHOSEN.get_or_init(|| {
            let named = std::env::var(PATH_VARIABLE).ok();
            named
                .and_then(|name| Self::named(&name))
                .or(Self::available().last().copied())
                .unwrap_or(Self::PORTABLE)
        })
    }

    /// Returns the path with this name, if this processor has it.
    pub fn named(name: &str) -> Option<Self> {
        let mut paths = Self::available().iter().copied();
        paths.find(|isa| isa.name() == name)
    }

    /// Returns the name: `portable`, `avx2`, `avx512` or `neon`.
    pub const fn name(self) -> &'static str {
        match self.0 {
            IsaKind::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            IsaKind::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            IsaKind::Avx512 => "avx512",
            #[cfg(target_arch = "aarch64")]
            IsaKind::Neon => "neon",
        }
    }

    pub(super) const fn kind(self) -> IsaKind {
        self.0
    }

    /// Returns the fastest instructions for AES that this path may use.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn cipher(self) -> Option<Cipher> {
        match self.0 {
            IsaKind::Portable => None,
            IsaKind::Avx2 if !is_x86_feature_detected!("aes") => None,
            IsaKind::Avx2 if is_x86_feature_detected!("vaes") => Some(Cipher::Two),
            IsaKind::Avx2 => Some(Cipher::One),
            IsaKind::Avx512 => Some(Cipher::Four),
        }
    }

    /// Returns the instructions for AES that this path may use; some processors with NEON have
    /// none.
    #[cfg(target_arch = "aarch64")]
    pub(super) fn cipher(self) -> Option<NeonCipher> {
        match self.0 {
            IsaKind::Portable => None,
            IsaKind::Neon => is_aarch64_feature_detected!("aes").then_some(NeonCipher(())),
        }
    }
}

/// Instructions for AES, by the blocks of a vector. A value exists only where the processor has
/// them.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cipher {
    One,
    Two,
    Four,
}

/// Instructions for AES. A value exists only where the processor has them.
#[cfg(target_arch = "aarch64")]
#[derive(Clone, Copy, Debug)]
pub(super) struct NeonCipher(());

#[cfg(all(target_arch = "x86_64", test))]
impl Cipher {
    /// Returns the instructions that this one's processor has too, and itself.
    pub(super) fn and_narrower(self) -> &'static [Self] {
        match self {
            Self::One => &[Self::One],
            Self::Two => &[Self::One, Self::Two],
            Self::Four => &[Self::One, Self::Two, Self::Four],
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Returns whether the processor deposits bits and counts ones in one instruction each.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
        && !deposits_slowly()
}

/// Returns whether the processor deposits bits by microcode, one by one: AMD before Zen 3 (family
/// 19h), and Hygon.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn deposits_slowly() -> bool {
    #[allow(unused_unsafe, unsafe_code, reason = "safe for newer compilers")]
    // SAFETY: every x86-64 processor has the instruction.
    let cpuid = |leaf| unsafe { std::arch::x86_64::__cpuid(leaf) };
    let vendor = cpuid(0);
    let vendor = [vendor.ebx, vendor.edx, vendor.ecx];
    let is_amd = [
        [*b"Auth", *b"enti", *b"cAMD"],
        [*b"Hygo", *b"nGen", *b"uine"],
    ]
    .iter()
    .any(|name| name.map(u32::from_le_bytes) == vendor);
    let signature = cpuid(1).eax;
    let family = (signature >> 8 & 0xF) + (signature >> 20 & 0xFF);
    is_amd && family < 0x19
}

/// Returns whether the processor has the instructions of Ice Lake, Zen 4 and later.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vpopcntdq")
        && is_x86_feature_detected!("avx512bitalg")
        && is_x86_feature_detected!("aes")
        && is_x86_feature_detected!("vaes")
}

/// Returns whether the processor has NEON, with the lanes of a vector in the order of memory.
#[cfg(all(target_arch = "aarch64", not(miri)))]
fn has_neon() -> bool {
    cfg!(target_endian = "little") && is_aarch64_feature_detected!("neon")
}
