//! How often is the answer right? Coverage and width of 95 % intervals, and how often a
//! variant is called slower, on simulated data whose truth is known.
//!
//! ```text
//! cargo run --release --example calibration -- 2000 > docs/calibration.csv
//! ```
//!
//! `-- table docs/calibration.csv` prints the result as a table in Markdown, and
//! `-- plot docs/calibration.csv` as a picture in SVG.
//!
//! The argument is the number of experiments a cell; 2,000 take about an hour on two
//! cores, 50 a minute. A second one, part of the name of a kind of data, leaves out the
//! other kinds. `docs/calibration.md` says what the columns mean.

mod results;

use std::error::Error;
use std::io::{self, Write};

use patchodds::analysis::{Settings, Verdict, analyse};
use patchodds::data::{
    Dataset, Direction, DirectionSource, Measurements, Metric, Moments, Pair, Sample,
    Series, Variant,
};
use patchodds::draws::eti;
use patchodds::frequentist::{BehrensFisher, student, welch};
use patchodds::model::{Posterior, Spec};
use patchodds::plot::document;
use patchodds::sampler::{Effort, Engine, Nuts, stream};
use rand::rngs::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal, StudentT};
use rayon::prelude::*;

/// Of the baseline: its mean, and the SD of a run.
const MEAN: f64 = 100.0;
const SD: f64 = 2.0;

/// How a run is made.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Scenario {
    /// Normal.
    Normal,
    /// Lognormal with a coefficient of variation of 20 %.
    Lognormal,
    /// Student-t with three degrees of freedom.
    HeavyTails,
    /// Normal, the candidate so many times as noisy.
    Noisier(u8),
    /// Normal, ten baseline runs against three of the candidate.
    TenAgainstThree,
    /// First-order autoregressive, at 0.5.
    Autocorrelated,
    /// All runs of a variant in one invocation; between invocations the SD is twice that
    /// within.
    OneInvocation,
    /// As many invocations of so many runs each; the SD between invocations is so many
    /// times that within.
    Invocations { runs: u8, spread: u8 },
}

const SCENARIOS: [(Scenario, &str); 10] = [
    (Scenario::Normal, "normal"),
    (Scenario::Lognormal, "lognormal, CV 20 %"),
    (Scenario::HeavyTails, "Student-t, 3 degrees of freedom"),
    (Scenario::Noisier(3), "candidate 3 times as noisy"),
    (Scenario::Noisier(10), "candidate 10 times as noisy"),
    (Scenario::TenAgainstThree, "10 runs against 3"),
    (Scenario::Autocorrelated, "autocorrelated, 0.5"),
    (Scenario::OneInvocation, "noise between invocations, one each"),
    (
        Scenario::Invocations { runs: 5, spread: 2 },
        "noise between invocations, n of 5 runs",
    ),
    (
        Scenario::Invocations { runs: 30, spread: 5 },
        "much noise between invocations, n of 30 runs",
    ),
];

const SIZES: [usize; 5] = [2, 3, 5, 10, 30];

/// Where runs in order are alike, enough of them to make batches are looked at too.
const ENOUGH_FOR_BATCHES: usize = 100;

/// From here on a comparison looks at the order of runs.
const ORDER_SHOWS: usize = 20;

/// The change of the mean: none, 1 %, five SDs.
const EFFECTS: [(f64, &str); 3] =
    [(0.0, "0"), (0.01 * MEAN, "1 %"), (5.0 * SD, "5 SD")];

const MODELS: [&str; 6] =
    ["normal", "independent", "robust", "lognormal", "best", "paired"];

impl Scenario {
    fn sizes(self) -> Vec<usize> {
        match self {
            Self::TenAgainstThree => vec![3],
            Self::Invocations { spread: 5, .. } => vec![10],
            Self::Autocorrelated => [&SIZES[..], &[ENOUGH_FOR_BATCHES]].concat(),
            _ => SIZES.to_vec(),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["table", path] => {
            return Ok(write!(
                io::stdout(),
                "{}",
                results::table(&results::read(path)?)
            )?);
        }
        ["plot", path] => {
            let scene = results::picture(&results::read(path)?);
            return Ok(write!(io::stdout(), "{}", document(&scene))?);
        }
        _ => {}
    }
    let experiments = args.first().map_or(Ok(50), |count| count.parse())?;
    let wanted = args.get(1).map_or("", String::as_str);
    let mut out = io::stdout().lock();
    writeln!(out, "scenario,n,effect,method,experiments,coverage,width,slower,faster")?;
    for (scenario, name) in SCENARIOS {
        if !name.contains(wanted) {
            continue;
        }
        for n in scenario.sizes() {
            for (effect, effect_name) in EFFECTS {
                let cell = Cell { scenario, n, effect };
                for (method, row) in cell.tally(experiments) {
                    writeln!(out, "\"{name}\",{n},{effect_name},\"{method}\",{row}")?;
                }
                out.flush()?;
            }
        }
    }
    Ok(())
}

/// One kind of experiment.
#[derive(Debug, Clone, Copy)]
struct Cell {
    scenario: Scenario,
    n: usize,
    effect: f64,
}

/// What a method says of one experiment.
#[derive(Debug, Clone, Copy)]
struct Answer {
    interval: [f64; 2],
    slower: f64,
}

impl Cell {
    /// A line for each method.
    fn tally(self, experiments: u64) -> Vec<(String, String)> {
        let answers: Vec<Vec<(String, Answer)>> =
            (0..experiments).into_par_iter().map(|seed| self.answers(seed)).collect();
        let methods: Vec<&String> =
            answers[0].iter().map(|(method, _)| method).collect();
        let of = |at: usize| answers.iter().map(move |all| all[at].1);
        let width = |at: usize| {
            of(at).map(|one| one.interval[1] - one.interval[0]).sum::<f64>()
        };
        let welch = width(0);
        methods
            .iter()
            .enumerate()
            .map(|(at, method)| {
                let share = |holds: &dyn Fn(&Answer) -> bool| {
                    of(at).filter(|one| holds(one)).count() as f64 / experiments as f64
                };
                let truth = self.effect;
                let covered =
                    share(&|one| one.interval[0] <= truth && truth <= one.interval[1]);
                let row = format!(
                    "{experiments},{covered:.4},{:.4},{:.4},{:.4}",
                    width(at) / welch,
                    share(&|one| one.slower >= 0.95),
                    share(&|one| one.slower <= 0.05),
                );
                ((*method).clone(), row)
            })
            .collect()
    }

    fn answers(self, seed: u64) -> Vec<(String, Answer)> {
        let mut rng = stream(seed, self.n as u64);
        let [baseline, candidate] = self.sizes();
        let variants = [
            self.variant(baseline, MEAN, 1.0, &mut rng),
            self.variant(candidate, MEAN + self.effect, self.noisier(), &mut rng),
        ];
        // Tests and models that know no invocations see the means of several.
        let seen = variants.each_ref().map(|variant| match self.scenario {
            Scenario::Invocations { .. } => {
                let means: Vec<f64> = variant
                    .invocations()
                    .map(|runs| runs.iter().sum::<f64>() / runs.len() as f64)
                    .collect();
                fine(vec![means])
            }
            _ => variant.clone(),
        });
        let moments = seen.each_ref().map(Sample::moments);
        let mut answers = tests(&moments);
        // Blocks are of one run each, in order, and so there are as many of both.
        let models = MODELS.iter().filter(|m| **m != "paired" || baseline == candidate);
        let models = models.map(|model| (*model, *model, &seen));
        let runs = matches!(self.scenario, Scenario::Invocations { .. }).then_some([
            ("nested", "nested", &variants),
            ("normal, runs pooled", "normal", &variants),
        ]);
        for (name, model, samples) in models.chain(runs.into_iter().flatten()) {
            let spec = Spec::built_in(model).expect("a model that ships");
            answers.push((name.to_owned(), fitted(&spec, samples, seed)));
        }
        if self.scenario == Scenario::OneInvocation {
            let mut spec = Spec::built_in("nested").expect("a model that ships");
            spec.remove_prior("spread");
            // What `--run-noise` states, here the truth.
            spec.override_prior(&format!("between=lognormal(log({}), 0.7)", 2.0 * SD))
                .expect("a prior");
            answers.push((
                "nested, run noise stated".into(),
                fitted(&spec, &variants, seed),
            ));
        }
        if self.scenario == Scenario::Autocorrelated && self.n >= ORDER_SHOWS {
            answers.push(("as shipped".into(), shipped(&variants, seed)));
        }
        answers
    }

    fn sizes(self) -> [usize; 2] {
        if self.scenario == Scenario::TenAgainstThree { [10, 3] } else { [self.n; 2] }
    }

    fn noisier(self) -> f64 {
        match self.scenario {
            Scenario::Noisier(times) => f64::from(times),
            _ => 1.0,
        }
    }

    fn variant(
        self,
        n: usize,
        mean: f64,
        noisier: f64,
        rng: &mut ChaCha8Rng,
    ) -> Sample {
        let sd = SD * noisier;
        match self.scenario {
            Scenario::Lognormal => {
                // Variance of the logarithm of a run with this coefficient of variation.
                let variance = (0.2_f64 * 0.2).ln_1p();
                let run =
                    |_| mean * (variance.sqrt() * normal(rng) - variance / 2.0).exp();
                fine(vec![(0..n).map(run).collect()])
            }
            Scenario::HeavyTails => {
                let t = StudentT::new(3.0).expect("above 0");
                // Its variance is 3.
                let scale = sd / 3_f64.sqrt();
                // A time is above 0; one run in some 10⁵ is drawn again for it.
                let run = |_| loop {
                    let run = mean + scale * t.sample(rng);
                    if run > 0.0 {
                        break run;
                    }
                };
                fine(vec![(0..n).map(run).collect()])
            }
            Scenario::Autocorrelated => {
                let mut state = normal(rng);
                let next = |_| {
                    state = 0.5 * state + 0.75_f64.sqrt() * normal(rng);
                    mean + sd * state
                };
                fine(vec![(0..n).map(next).collect()])
            }
            Scenario::OneInvocation => {
                let centre = mean + 2.0 * sd * normal(rng);
                fine(vec![(0..n).map(|_| centre + sd * normal(rng)).collect()])
            }
            Scenario::Invocations { runs, spread } => {
                let invocation = |_| {
                    let centre = mean + f64::from(spread) * sd * normal(rng);
                    (0..runs).map(|_| centre + sd * normal(rng)).collect()
                };
                fine((0..n).map(invocation).collect())
            }
            Scenario::Normal | Scenario::Noisier(_) | Scenario::TenAgainstThree => {
                fine(vec![(0..n).map(|_| mean + sd * normal(rng)).collect()])
            }
        }
    }
}

fn normal(rng: &mut ChaCha8Rng) -> f64 {
    StandardNormal.sample(rng)
}

/// Runs whose last digit is far below their noise.
fn fine(invocations: Vec<Vec<f64>>) -> Sample {
    Sample::from_invocations(invocations).expect("finite runs").with_resolution(0.0)
}

fn tests([baseline, candidate]: &[Moments; 2]) -> Vec<(String, Answer)> {
    let known = "two runs that differ on each side";
    let welch = welch(baseline, candidate).expect(known);
    let student = student(baseline, candidate).expect(known);
    let exact = BehrensFisher::new(baseline, candidate).expect(known);
    vec![
        ("Welch".into(), Answer { interval: welch.ci, slower: 1.0 - welch.p_greater }),
        (
            "Student".into(),
            Answer { interval: student.ci, slower: 1.0 - student.p_greater },
        ),
        (
            "reference".into(),
            Answer { interval: exact.eti(), slower: exact.p_greater() },
        ),
    ]
}

/// One chain: what is judged is many experiments, not one.
const EFFORT: Effort =
    Effort { chains: 1, draws: 600, tune: 150, target_accept: 0.8, seed: 0 };

fn fitted(spec: &Spec, samples: &[Sample; 2], seed: u64) -> Answer {
    let measured = samples.each_ref().map(|sample| Measurements::Runs(sample.clone()));
    let pair = Pair::new(["baseline", "candidate"], measured.each_ref()).expect("runs");
    let posterior = Posterior::new(spec, &pair).expect("a model that fits");
    let trace = Nuts.sample(&posterior, &Effort { seed, ..EFFORT }).expect("a chain");
    let scale = posterior.standard().scale;
    let mut differences: Vec<f64> = trace
        .positions
        .index_axis(ndarray::Axis(0), 0)
        .outer_iter()
        .map(|position| {
            let position: Vec<f64> = position.iter().copied().collect();
            let [baseline, candidate] =
                posterior.moments(&posterior.parameters(&position));
            scale * (candidate.mean - baseline.mean)
        })
        .collect();
    differences.sort_unstable_by(f64::total_cmp);
    let slower = differences.iter().filter(|difference| **difference > 0.0).count();
    Answer {
        interval: eti(&differences, 0.95),
        slower: slower as f64 / differences.len() as f64,
    }
}

/// A whole comparison, which sees the order of runs; nobody is called slower where its
/// verdict is `undecided`.
fn shipped(samples: &[Sample; 2], seed: u64) -> Answer {
    let variants = [("baseline", &samples[0]), ("candidate", &samples[1])]
        .map(|(label, sample)| Variant {
            label: label.into(),
            measurements: Measurements::Runs(sample.clone()),
            sources: Vec::new(),
        })
        .to_vec();
    let metric = Metric {
        name: None,
        unit: None,
        direction: Direction::LowerIsBetter,
        direction_source: DirectionSource::Option,
    };
    let mut dataset = Dataset::default();
    dataset.series = vec![Series { benchmark: None, metric, variants }];
    let mut settings = Settings::default();
    settings.seed = seed;
    let analysis = analyse(&dataset, &settings).expect("a comparison");
    let comparison = &analysis.comparisons[0];
    let difference =
        comparison.posterior("difference").expect("a quantity of all models");
    let open = comparison.verdict == Verdict::Undecided;
    Answer {
        interval: difference.eti.expect("a proper posterior"),
        slower: if open { 0.5 } else { comparison.probability.slower.value },
    }
}
