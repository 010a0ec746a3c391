//! The study itself: draws, plans, does what is not done yet.

use std::path::Path;

use model::ClassName;
use toolchain::Jdk;

use super::result::{ComponentQuestion, ComponentRow, GuidedResult, Piece, PieceQuestion};
use super::{Peer, Program, components, peer, piece, plan};
use crate::bench::{Bench, Subject};
use crate::draw::draw;
use crate::store::Store;
use crate::{FailedPiece, StudyError};

/// What is asked.
#[derive(Clone, PartialEq, Debug)]
pub struct GuidedOptions {
    /// Classes per program, at most.
    pub classes: usize,
    /// Seconds of search per class, one after the other.
    pub budgets: Vec<f64>,
    /// The budget at which PIT measures the mutation score.
    pub mutation_budget: Option<f64>,
    /// The names of the search's components, if each is to be measured, and the budget for that.
    pub components: Option<(Vec<String>, f64)>,
    /// A peer to run beside.
    pub peer: Option<Peer>,
    /// Where random numbers start.
    pub seed: u64,
}

/// What a study is doing.
#[derive(Clone, PartialEq, Debug)]
pub enum GuidedStage {
    /// Maven fetches what the runs will need.
    Fetching,
    /// So many pieces are to be done, and so many are done before; it will take about so long.
    Planned {
        /// To be done.
        pieces: usize,
        /// Done before.
        known: usize,
        /// About.
        seconds: f64,
    },
    /// A piece is under way.
    Working {
        /// The program.
        program: &'static str,
        /// Seconds of search per class.
        budget: f64,
        /// What is being done, in words.
        what: &'static str,
    },
    /// A variant of components is under way.
    Variant(String),
}

/// A program and its classes.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) program: Program,
    pub(super) subject: Subject,
    pub(super) candidates: u32,
    pub(super) classes: Vec<ClassName>,
}

/// A study of the guided search.
#[derive(Debug)]
pub struct GuidedStudy {
    bench: Bench,
    build: String,
    options: GuidedOptions,
    store: Store,
}

impl GuidedStudy {
    /// A study that has `program` (this executable) write the tests and keeps what it finds in
    /// the folder `out`.
    pub fn new(
        program: &Path,
        jdk: Jdk,
        out: &Path,
        options: GuidedOptions,
    ) -> Result<Self, StudyError> {
        let bench = Bench::new(program, jdk)?;
        Ok(Self { build: bench.build()?, bench, options, store: Store::open(out)? })
    }

    /// Works on the programs, telling what it does; finished pieces are not done again.
    pub fn run(
        &self,
        programs: &[Program],
        on_stage: &mut dyn FnMut(GuidedStage),
    ) -> Result<GuidedResult, StudyError> {
        on_stage(GuidedStage::Fetching);
        let drawn = programs.iter().map(|program| self.draw(program));
        let drawn = drawn.collect::<Result<Vec<Drawn>, _>>()?;
        let (pieces, known, seconds) = self.plan(&drawn)?;
        if pieces > 0 {
            let mutation = self.options.mutation_budget.is_some();
            self.bench.fetch(&[], mutation, self.options.peer.is_some())?;
        }
        on_stage(GuidedStage::Planned { pieces, known, seconds });
        let mut results = Vec::new();
        let mut failed = Vec::new();
        for &budget in &self.options.budgets {
            for drawn in &drawn {
                let own = match self.piece(drawn, budget, on_stage) {
                    Ok(own) => own,
                    Err(error) => {
                        failed.push(FailedPiece::new(name(drawn, budget), &error));
                        continue;
                    }
                };
                if let Some(peer) = &self.options.peer {
                    match self.peer(drawn, peer, &own, on_stage) {
                        Ok(piece) => results.push(piece),
                        Err(e) => failed.push(FailedPiece::new(peer_name(drawn, budget), &e)),
                    }
                }
                results.push(own);
            }
        }
        // Own suites first, then the peer's; each by budget and program as they were made.
        results.sort_by_key(|piece| piece.kind as u8);
        let mut rows = Vec::new();
        for (variant, question) in self.variants(&drawn) {
            match self.variant(&drawn, &variant, question, on_stage) {
                Ok(row) => rows.push(row),
                Err(error) => failed.push(FailedPiece::new(variant_name(&variant), &error)),
            }
        }
        Ok(GuidedResult::of(results, rows, failed))
    }

    fn draw(&self, program: &Program) -> Result<Drawn, StudyError> {
        let subject = self.bench.open_as_built(&program.library)?;
        let draw = draw(&subject.world, self.options.classes);
        if draw.classes.is_empty() {
            return Err(StudyError::NothingDrawn { library: program.library.name.to_owned() });
        }
        let candidates = draw.candidates as u32;
        Ok(Drawn { program: *program, subject, candidates, classes: draw.classes })
    }

    /// Pieces to do, pieces done before, and seconds that the former will take.
    fn plan(&self, drawn: &[Drawn]) -> Result<(usize, usize, f64), StudyError> {
        let (mut pieces, mut known, mut seconds) = (0, 0, 0.0);
        let jobs = self.bench.jobs;
        let mut count = |is_known: bool, takes: f64| {
            if is_known {
                known += 1;
            } else {
                pieces += 1;
                seconds += takes;
            }
        };
        for &budget in &self.options.budgets {
            for drawn in drawn {
                let classes = drawn.classes.len();
                let question = self.question(drawn, budget);
                let found: Option<Piece> = self.store.get(&name(drawn, budget), &question);
                count(found.is_some(), plan::piece(classes, jobs, budget, question.mutation));
                if let Some(peer) = &self.options.peer {
                    let question = self.peer_question(drawn, budget, peer)?;
                    let found: Option<Piece> = self.store.get(&peer_name(drawn, budget), &question);
                    count(found.is_some(), plan::peer(classes, budget));
                }
            }
        }
        for (variant, question) in self.variants(drawn) {
            let searches = question.classes.iter();
            let takes =
                searches.map(|(_, classes)| plan::search(classes.len(), jobs, question.budget));
            let takes: f64 = takes.sum();
            let found: Option<ComponentRow> = self.store.get(&variant_name(&variant), &question);
            count(found.is_some(), takes);
        }
        Ok((pieces, known, seconds))
    }

    fn question(&self, drawn: &Drawn, budget: f64) -> PieceQuestion {
        PieceQuestion {
            program: drawn.program.library.coordinates(),
            classes: drawn.classes.iter().map(ClassName::to_binary).collect(),
            budget,
            mutation: self.options.mutation_budget == Some(budget),
            peer: None,
            seed: self.options.seed,
            jobs: self.bench.jobs,
            jdk: self.bench.jdk.version.full.clone(),
            build: self.build.clone(),
        }
    }

    /// A peer's suite does not depend on this program's build.
    fn peer_question(
        &self,
        drawn: &Drawn,
        budget: f64,
        peer: &Peer,
    ) -> Result<PieceQuestion, StudyError> {
        let peer = Some(peer.identity()?);
        let question = self.question(drawn, budget);
        Ok(PieceQuestion { peer, mutation: false, jobs: 1, build: String::new(), ..question })
    }

    fn piece(
        &self,
        drawn: &Drawn,
        budget: f64,
        on_stage: &mut dyn FnMut(GuidedStage),
    ) -> Result<Piece, StudyError> {
        let (name, question) = (name(drawn, budget), self.question(drawn, budget));
        if let Some(piece) = self.store.get(&name, &question) {
            return Ok(piece);
        }
        let folder = self.store.fresh(&name)?;
        let piece = piece::run(&self.bench, drawn, question, &folder, on_stage)?;
        self.store.put(&name, &piece)?;
        Ok(piece)
    }

    fn peer(
        &self,
        drawn: &Drawn,
        peer: &Peer,
        own: &Piece,
        on_stage: &mut dyn FnMut(GuidedStage),
    ) -> Result<Piece, StudyError> {
        let budget = own.question.budget;
        let name = peer_name(drawn, budget);
        let question = self.peer_question(drawn, budget, peer)?;
        if let Some(piece) = self.store.get(&name, &question) {
            return Ok(piece);
        }
        let folder = self.store.fresh(&name)?;
        let piece = peer::run(&self.bench, drawn, (peer, own), question, &folder, on_stage)?;
        self.store.put(&name, &piece)?;
        Ok(piece)
    }

    /// The choices of components to try; none if that is not asked for.
    fn variants(&self, drawn: &[Drawn]) -> Vec<(String, ComponentQuestion)> {
        let Some((names, budget)) = &self.options.components else { return Vec::new() };
        let chosen = drawn.iter().zip(components::chosen(drawn));
        let classes: Vec<(String, Vec<String>)> = chosen
            .filter(|(_, classes)| !classes.is_empty())
            .map(|(drawn, classes)| {
                let classes = classes.iter().map(ClassName::to_binary).collect();
                (drawn.program.library.coordinates(), classes)
            })
            .collect();
        let question = |without| ComponentQuestion {
            classes: classes.clone(),
            without,
            budget: *budget,
            seed: self.options.seed,
            jobs: self.bench.jobs,
            jdk: self.bench.jdk.version.full.clone(),
            build: self.build.clone(),
        };
        let variants = components::variants(names).into_iter();
        variants.map(|(name, without)| (name, question(without))).collect()
    }

    fn variant(
        &self,
        drawn: &[Drawn],
        variant: &str,
        question: ComponentQuestion,
        on_stage: &mut dyn FnMut(GuidedStage),
    ) -> Result<ComponentRow, StudyError> {
        let name = variant_name(variant);
        if let Some(row) = self.store.get(&name, &question) {
            return Ok(row);
        }
        on_stage(GuidedStage::Variant(variant.to_owned()));
        let folder = self.store.fresh(&name)?;
        let row = components::run(&self.bench, drawn, variant, question, &folder)?;
        self.store.put(&name, &row)?;
        Ok(row)
    }
}

fn name(drawn: &Drawn, budget: f64) -> String {
    format!("{}-{budget}s", drawn.program.library.name)
}

fn peer_name(drawn: &Drawn, budget: f64) -> String {
    format!("{}-peer", name(drawn, budget))
}

fn variant_name(variant: &str) -> String {
    format!("components-{variant}")
}
