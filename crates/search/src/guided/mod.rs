//! What steers feedback-directed random testing (requirements G3 to G9, G15, G19).
//!
//! Each component is a module and can be switched off (`--without NAME`); with all off, plain
//! feedback-directed random testing ([`FeedbackDirected`](crate::FeedbackDirected)) is left. Formulas and
//! parameters stand in the module; what it needs from elsewhere is named there and here. Each pays on a
//! subject of its own: with the same budget, a search without it covers less, which a test shows.
//!
//! | name | of the published system | module | with | subject |
//! |---|---|---|---|---|
//! | `constants` | constant mining (G4) | [`constants`] | `analysis::constants`: mining, folding, weights | `hard.Codes` |
//! | `impurity` | impurity (G5) | [`impurity`] | [`fuzz`] for values; `analysis::purity` says what changes what | `hard.Gate` |
//! | `elephant` | elephant brain (G6) | [`elephant`] | [`crate::pool`] draws by its ratio | `hard.Vault` |
//! | `detective` | detective (G7) | `api::finder::detective` | the parts of the finder that it names; `classpath` looks for subtypes and for who returns what | `detective.*`, `abroad.Traveller` |
//! | `orienteering` | orienteering (G8) | [`orienteering`] | costs that the pool's entries keep | `subjects::sleeper` |
//! | `bloodhound` | bloodhound (G9) | [`bloodhound`] | [`Branches`] says which probes are whose | `subjects::crowd` |
//! | `frontier` | (G15, G19) | [`frontier`] | [`aim`] makes inputs of operands, [`change`] changes tests | `hard.DateText` |
//! | `trail` | | [`trail`] | | `hard.*` |
//!
//! `files` (G7) and `mocks` (G21) are parts of the API that a search has, and stand in `api::finder`.
//! Subjects are Java classes of the end-to-end tests (`guided.rs` there), or scripted ones
//! (`subjects.rs` here) where only the cost of calls or the order of many methods tells.

pub(crate) mod aim;
pub(crate) mod bloodhound;
mod change;
pub(crate) mod components;
mod connected;
mod constants;
pub(crate) mod elephant;
pub(crate) mod frontier;
pub(crate) mod fuzz;
pub(crate) mod impurity;
pub(crate) mod orienteering;
#[cfg(test)]
mod subjects;
pub(crate) mod trail;

use std::sync::Arc;

use instrument::{Comparison, Plan};
use model::{JavaString, Literal, Operation, OperationKind, TestCase, Type};
use rustc_hash::FxHashMap;

use crate::api::{Api, OpId};
use crate::failures::Setter;
use bloodhound::{Bloodhound, Progress};
pub use components::{Component, Components};
use constants::Constants;
use elephant::Elephant;
use frontier::Frontier;
use impurity::Impurity;
use trail::Trail;

/// A method by the internal name of its class, its name and its descriptor.
pub type MethodKey = (String, String, String);

/// What analyses found out before the search.
#[derive(Clone, Default, Debug)]
pub struct Knowledge {
    /// Where probes and comparisons are, in the order of their numbers.
    pub plans: Vec<Plan>,
    /// Operations that can change their receiver.
    pub changing: Vec<OpId>,
    /// Operations that leave their receiver as it is.
    pub preserving: Vec<OpId>,
    /// For members under test the operations that can change what they read.
    pub feeding: Vec<(OpId, Vec<OpId>)>,
    /// For each method of the classes under test those that it calls: each by the internal name of
    /// its class, its name and its descriptor.
    pub calls: Vec<(MethodKey, Vec<MethodKey>)>,
    /// Values that the class itself is made of, most telling first.
    pub constants: Vec<(Type, Literal)>,
    /// Values that other classes of its package are made of, with their weights.
    pub foreign: Vec<((Type, Literal), f64)>,
    /// Texts that methods read, which the classes under test call.
    pub reads: Vec<(MethodKey, Vec<JavaString>)>,
    /// Texts of the forms that the classes under test ask for.
    pub readable: Vec<JavaString>,
    /// Which methods set which fields.
    pub setters: Vec<Setter>,
}

impl Knowledge {
    /// All comparisons, by number, with probes by their numbers in the coverage map.
    fn comparisons(&self) -> Vec<Comparison> {
        let mut base = 0;
        let mut all = Vec::new();
        for plan in &self.plans {
            all.extend(plan.comparisons.iter().cloned().map(|mut comparison| {
                let outcomes = comparison.outcomes.iter_mut().map(|(probe, _)| probe);
                for probe in outcomes.chain(&mut comparison.until) {
                    *probe += base;
                }
                comparison
            }));
            base += plan.probes.len() as u32;
        }
        all
    }

    /// The texts among the constants.
    pub(crate) fn texts(&self) -> Vec<JavaString> {
        let foreign = self.foreign.iter().map(|(constant, _)| constant);
        let texts = self.constants.iter().chain(foreign).filter_map(|(_, literal)| match literal {
            Literal::String(text) => Some(text.clone()),
            _ => None,
        });
        texts.collect()
    }
}

/// The probes of each method under test.
pub(crate) struct Branches {
    /// For each subject its own probes and those of the hidden methods that it calls: branches, and
    /// lines that are not reached where something before them throws.
    of_subject: Vec<Vec<u32>>,
}

impl Branches {
    fn new(api: &Api, subjects: &[OpId], knowledge: &Knowledge) -> Self {
        let mut of_method: FxHashMap<MethodKey, Vec<u32>> = FxHashMap::default();
        let mut base = 0;
        for plan in &knowledge.plans {
            for (at, probe) in plan.probes.iter().enumerate() {
                let method = &plan.methods[probe.method as usize];
                let key = (plan.class.clone(), method.name.clone(), method.descriptor.clone());
                of_method.entry(key).or_default().push(base + at as u32);
            }
            base += plan.probes.len() as u32;
        }
        let public: Vec<MethodKey> = subjects.iter().map(|subject| api.key(*subject)).collect();
        let calls: FxHashMap<&MethodKey, &Vec<MethodKey>> =
            knowledge.calls.iter().map(|(method, called)| (method, called)).collect();
        let reached = |subject: &MethodKey| {
            let mut methods = vec![subject];
            let mut next = 0;
            while let Some(method) = methods.get(next) {
                next += 1;
                for called in calls.get(method).into_iter().copied().flatten() {
                    let is_hidden = of_method.contains_key(called) && !public.contains(called);
                    if is_hidden && !methods.contains(&called) {
                        methods.push(called);
                    }
                }
            }
            methods.iter().filter_map(|method| of_method.get(*method)).flatten().copied().collect()
        };
        Self { of_subject: public.iter().map(reached).collect() }
    }

    fn progress(&self, covered: &[u8], succeeded: &[u64]) -> Vec<Progress> {
        let hit = |probe: &u32| covered.get(*probe as usize).is_some_and(|byte| *byte != 0);
        let of = |(probes, succeeded): (&Vec<u32>, &u64)| {
            let left = probes.iter().filter(|probe| !hit(probe)).count();
            let uncovered = left as f64 / probes.len().max(1) as f64;
            Progress { uncovered, succeeded: *succeeded }
        };
        self.of_subject.iter().zip(succeeded).map(of).collect()
    }
}

/// The fields that hold constants of their own class.
fn constants_of(api: &Api) -> Vec<Arc<Operation>> {
    let all = api.erased_operations().map(|op| api.operation(op));
    let own = |op: &&Arc<Operation>| {
        let of = op.result.as_ref().and_then(Type::as_class);
        op.kind == OperationKind::StaticField && of == Some(&op.owner)
    };
    all.filter(own).cloned().collect()
}

/// The state of the components that are on.
pub(crate) struct Guidance {
    pub(crate) frontier: Option<Frontier>,
    pub(crate) trail: Option<Trail>,
    pub(crate) hound: Option<Hound>,
    pub(crate) elephant: Option<Elephant>,
    pub(crate) impurity: Option<Impurity>,
    pub(crate) orienteers: bool,
    pub(crate) constants: Option<Constants>,
    is_fresh: bool,
}

/// Bloodhound with what it goes by.
pub(crate) struct Hound {
    weights: Bloodhound,
    branches: Branches,
    succeeded: Vec<u64>,
    covered: Vec<u8>,
}

impl Hound {
    /// The number of a subject, by weight.
    pub(crate) fn select(&mut self, rng: &mut crate::Rng) -> Option<usize> {
        if self.weights.is_due() {
            self.refresh();
        }
        self.weights.select(rng)
    }

    pub(crate) fn succeeded(&mut self, subject: usize) {
        self.succeeded[subject] += 1;
    }

    fn refresh(&mut self) {
        self.weights.refresh(&self.branches.progress(&self.covered, &self.succeeded));
    }
}

impl Guidance {
    pub(crate) fn new(
        api: &Api,
        subjects: &[OpId],
        components: Components,
        knowledge: &Knowledge,
    ) -> Self {
        let frontier = components.has(Component::Frontier).then(|| {
            let comparisons = knowledge.comparisons();
            Frontier::new(comparisons, &knowledge.texts(), &knowledge.reads, constants_of(api))
        });
        let hound = components.has(Component::Bloodhound).then(|| {
            let branches = Branches::new(api, subjects, knowledge);
            let succeeded = vec![0; subjects.len()];
            let weights = Bloodhound::new(&branches.progress(&[], &succeeded));
            Hound { weights, branches, succeeded, covered: Vec::new() }
        });
        let constants =
            components.has(Component::Constants).then(|| Constants::new(api, knowledge));
        let elephant = components.has(Component::Elephant).then(|| Elephant::new(api));
        let impurity = (components.has(Component::Impurity)).then(|| Impurity::new(api, knowledge));
        let trail = components.has(Component::Trail).then(Trail::default);
        let orienteers = components.has(Component::Orienteering);
        Self { frontier, trail, hound, elephant, impurity, orienteers, constants, is_fresh: true }
    }

    /// Hears of what is covered now.
    pub(crate) fn cover(&mut self, covered: &[u8], is_new: bool, case: &TestCase) {
        if !is_new && !self.is_fresh {
            return;
        }
        self.is_fresh = false;
        if let Some(frontier) = &mut self.frontier {
            frontier.update(covered, case);
        }
        if let Some(hound) = &mut self.hound {
            hound.covered = covered.to_vec();
            hound.refresh();
        }
    }
}
