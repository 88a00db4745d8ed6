//! Expressions as a list of steps.

use super::compile::{CellQuestions, CompiledPart, Compiler};
use super::layout::{ProgramUse, lay_out};
use crate::kernels::{StepColumns, Steps, run_steps};
use crate::language::Expression;
use crate::{Isa, Packet};

/// Columns that are reused from packet to packet.
///
/// Memory is allocated when a filter or values are first used with it.
#[derive(Clone, Debug, Default)]
pub struct FilterScratch(pub(super) StepColumns);

/// Compiled expressions.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) steps: Steps,
    questions: CellQuestions,
}

impl Program {
    pub(super) fn new(expressions: &[Expression], usage: ProgramUse) -> Self {
        let mut compiler = Compiler::default();
        let mut parts: Vec<CompiledPart> = Vec::with_capacity(expressions.len());
        for expression in expressions {
            let part = compiler.part(expression);
            let mut part = part.unwrap_or_else(|| compiler.slow());
            if usage == ProgramUse::Pass {
                part.values = compiler.graph.truth(part.values);
            }
            parts.push(part);
        }
        Self {
            steps: lay_out(compiler.graph, &parts, usage),
            questions: compiler.questions,
        }
    }

    pub(super) fn run(&self, isa: Isa, packet: &Packet, scratch: &mut FilterScratch) {
        run_steps(isa, &self.steps, &self.questions, packet, &mut scratch.0);
    }
}
