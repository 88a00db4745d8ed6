//! Detects whether an MPI launcher started this process together with others.
//!
//! Uses only environment variables, so that a program built without MPI can report it.

use std::env;

/// One of the processes that an MPI launcher started together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launched {
    /// Number of processes, at least one.
    pub processes: usize,
    /// Number of this process, from 0.
    pub place: usize,
}

/// Variables that hold the number of processes and this process's number; both must be set.
///
/// A Slurm job sets SLURM_NTASKS for everything in it, with MPI or without. Under Slurm's PMIx,
/// which sets no number of processes, the number of tasks of the step is used.
const LAUNCHERS: [(&str, &str); 3] = [
    // Open MPI's mpirun.
    ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
    // MPICH's mpiexec, MPIs derived from it, and srun --mpi=pmi2.
    ("PMI_SIZE", "PMI_RANK"),
    // srun --mpi=pmix.
    ("SLURM_STEP_NUM_TASKS", "PMIX_RANK"),
];

impl Launched {
    /// Returns the launch of this process, or `None` if no MPI launcher started it.
    pub fn here() -> Option<Self> {
        Self::from_variables(|name| env::var(name).ok()?.parse().ok())
    }

    fn from_variables(variable: impl Fn(&str) -> Option<usize>) -> Option<Self> {
        let launchers = LAUNCHERS.into_iter();
        let mut told = launchers.filter_map(|(processes, place)| {
            Some(Self {
                processes: variable(processes)?,
                place: variable(place)?,
            })
        });
        told.find(|launched| launched.place < launched.processes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told_by(variables: &[(&str, usize)]) -> Option<(usize, usize)> {
        let found = |name: &str| variables.iter().find(|(known, _)| *known == name);
        let launched = Launched::from_variables(|name| found(name).map(|(_, value)| *value))?;
        Some((launched.processes, launched.place))
    }

    #[test]
    fn every_launcher_is_known() {
        let open_mpi = [("OMPI_COMM_WORLD_SIZE", 64), ("OMPI_COMM_WORLD_RANK", 3)];
        assert_eq!(told_by(&open_mpi), Some((64, 3)));
        assert_eq!(told_by(&[("PMI_SIZE", 5), ("PMI_RANK", 4)]), Some((5, 4)));
        let step = ("SLURM_STEP_NUM_TASKS", 2);
        assert_eq!(told_by(&[step, ("PMIX_RANK", 0)]), Some((2, 0)));
        assert_eq!(told_by(&[("PMI_SIZE", 1), ("PMI_RANK", 0)]), Some((1, 0)));
    }

    #[test]
    fn a_job_without_mpi_is_none() {
        assert_eq!(told_by(&[]), None);
        let task_of_an_array = [
            ("SLURM_NTASKS", 4),
            ("SLURM_NPROCS", 4),
            ("SLURM_PROCID", 1),
            ("SLURM_STEP_NUM_TASKS", 4),
            ("SLURM_ARRAY_TASK_ID", 7),
        ];
        assert_eq!(told_by(&task_of_an_array), None);
    }

    #[test]
    fn what_cannot_be_is_none() {
        assert_eq!(told_by(&[("PMI_SIZE", 2), ("PMI_RANK", 2)]), None);
        assert_eq!(told_by(&[("PMI_SIZE", 0), ("PMI_RANK", 0)]), None);
        assert_eq!(told_by(&[("PMI_SIZE", 2)]), None);
    }
}
