//! Draws kept in the groups of the `InferenceData` schema.

use std::collections::BTreeMap;

use super::adaptation::Adaptation;
use super::data_array::{DataArray, DataName};
use super::variable::Variable;

/// A group of the `InferenceData` schema that is indexed by chain and draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroupName {
    /// Parameters and what is computed from them.
    Posterior,
    /// How the sampler fared; see [`Statistic`](super::Statistic).
    SampleStats,
    /// Replicated data.
    PosteriorPredictive,
    /// The log density of each run.
    LogLikelihood,
    /// The log density of the priors.
    LogPrior,
    /// Parameters drawn from the priors.
    Prior,
    /// Data replicated from the priors.
    PriorPredictive,
}

impl GroupName {
    /// The name that the schema gives: `sample_stats`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Posterior => "posterior",
            Self::SampleStats => "sample_stats",
            Self::PosteriorPredictive => "posterior_predictive",
            Self::LogLikelihood => "log_likelihood",
            Self::LogPrior => "log_prior",
            Self::Prior => "prior",
            Self::PriorPredictive => "prior_predictive",
        }
    }
}

/// Variables of one shape, in order, no two of the same name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Group {
    variables: Vec<Variable>,
}

impl Group {
    /// Adds a variable at the end.
    ///
    /// # Panics
    /// When its shape is not that of the group, or its name is taken: both are mistakes
    /// of the program, not of its user.
    pub fn push(&mut self, variable: Variable) {
        let name = variable.full_name();
        assert!(self.get(name).is_none(), "there are two variables `{name}`");
        if let Some(first) = self.variables.first() {
            let (shape, given) = (first.values().dim(), variable.values().dim());
            assert_eq!(given, shape, "`{name}` has other chains or iterations");
        }
        self.variables.push(variable);
    }

    /// The variables, in the order in which they were added.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The variable of this full name: `difference`, `mean[patch]`.
    pub fn get(&self, full_name: &str) -> Option<&Variable> {
        self.variables.iter().find(|variable| variable.full_name() == full_name)
    }

    /// The variables gathered by their plain names, in order of first appearance: one
    /// entry for each array of chains × iterations (× index).
    pub fn arrays(&self) -> Vec<(&str, Vec<&Variable>)> {
        let mut arrays: Vec<(&str, Vec<&Variable>)> = Vec::new();
        for variable in &self.variables {
            match arrays.iter_mut().find(|(name, _)| *name == variable.name()) {
                Some((_, elements)) => elements.push(variable),
                None => arrays.push((variable.name(), vec![variable])),
            }
        }
        arrays
    }

    /// How many chains; 0 for an empty group.
    pub fn chains(&self) -> usize {
        self.variables.first().map_or(0, |variable| variable.values().nrows())
    }

    /// How many iterations each chain has; 0 for an empty group.
    pub fn iterations(&self) -> usize {
        self.variables.first().map_or(0, |variable| variable.values().ncols())
    }
}

/// All that one fit yields: groups of variables, with what is worth knowing of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draws {
    groups: BTreeMap<GroupName, Group>,
    data: BTreeMap<DataName, Vec<DataArray>>,
    adaptation: Vec<Adaptation>,
    metadata: Vec<(String, String)>,
}

impl Draws {
    /// The group of this name; empty where there is none.
    pub fn group(&self, name: GroupName) -> &Group {
        static NONE: Group = Group { variables: Vec::new() };
        self.groups.get(&name).unwrap_or(&NONE)
    }

    /// The parameters and what was computed from them.
    pub fn posterior(&self) -> &Group {
        self.group(GroupName::Posterior)
    }

    /// The group of this name, to be filled.
    pub fn group_mut(&mut self, name: GroupName) -> &mut Group {
        self.groups.entry(name).or_default()
    }

    /// The groups that hold anything, in the order of [`GroupName`].
    pub fn groups(&self) -> impl Iterator<Item = (GroupName, &Group)> {
        self.groups
            .iter()
            .map(|(&name, group)| (name, group))
            .filter(|(_, group)| !group.variables.is_empty())
    }

    /// Adds what was not drawn.
    ///
    /// # Panics
    /// When the name is taken in its group: a mistake of the program.
    pub fn push_data(&mut self, group: DataName, array: DataArray) {
        let arrays = self.data.entry(group).or_default();
        let name = array.name();
        assert!(
            arrays.iter().all(|other| other.name() != name),
            "there are two arrays `{name}`"
        );
        arrays.push(array);
    }

    /// The groups that were not drawn, in the order of [`DataName`].
    pub fn data(&self) -> impl Iterator<Item = (DataName, &[DataArray])> {
        self.data.iter().map(|(&name, arrays)| (name, arrays.as_slice()))
    }

    /// Keeps what each chain was tuned to, in the order of the chains.
    pub fn set_adaptation(&mut self, adaptation: Vec<Adaptation>) {
        self.adaptation = adaptation;
    }

    /// What each chain was tuned to; empty where it is not known.
    pub fn adaptation(&self) -> &[Adaptation] {
        &self.adaptation
    }

    /// Notes a fact for the files to carry: `seed`, `version`, `model`, labels.
    pub fn note(&mut self, key: impl Into<String>, value: impl Into<String>) {
        self.metadata.push((key.into(), value.into()));
    }

    /// The facts noted, in order.
    pub fn metadata(&self) -> &[(String, String)] {
        &self.metadata
    }

    /// The fact noted under this key.
    pub fn fact(&self, key: &str) -> Option<&str> {
        let noted = self.metadata.iter().find(|(noted, _)| noted == key);
        noted.map(|(_, value)| value.as_str())
    }
}
