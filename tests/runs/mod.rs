//! Runs: interrupted, resumed, in parts, by several processes, and with files that change during
//! the run.

mod altered_while_read;
mod checkpoints;
mod hostile_folders;
mod interruptions;
mod links_and_modes;
mod logs;
mod merging;
mod parts_and_processes;
mod random_draws;
