//! Spreading of bits over cards by the instruction PDEP.

use std::arch::x86_64::_pdep_u64;

use super::lanes::Deposit;

/// Deposit by the processor's own instruction. A value exists only where the processor has it.
#[derive(Clone, Copy)]
pub(super) struct ByInstruction(());

impl ByInstruction {
    #[inline]
    #[target_feature(enable = "bmi2")]
    pub(super) fn new() -> Self {
        Self(())
    }
}

impl Deposit for ByInstruction {
    #[inline(always)]
    fn deposit(self, subset: u64, cards: u64) -> u64 {
        #[allow(
            unsafe_code,
            reason = "a trait's function cannot name its instructions"
        )]
        // SAFETY: a value of this type exists only where the processor has bmi2.
        unsafe {
            _pdep_u64(subset, cards)
        }
    }
}
