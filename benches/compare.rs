//! Where the time of a comparison goes, against its budgets.
//!
//! Budgets: one sampling 25 ms on one core; the whole comparison of three runs a side
//! 50 ms; a million runs a side, read and compared, 0.5 s on two cores.

use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use patchodds::analysis::{Settings, analyse};
use patchodds::data::{Measurements, Pair, Sample, Selection};
use patchodds::formats::{self, Input, Options};
use patchodds::model::{Posterior, Spec};
use patchodds::sampler::{Effort, Engine, Nuts, stream};
use rand_distr::{Distribution, StandardNormal};

const EFFORT: Effort =
    Effort { chains: 4, draws: 1000, tune: 500, target_accept: 0.9, seed: 1 };

fn sampling(c: &mut Criterion) {
    let one_core =
        rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a core");
    let measured = [[152.7, 151.7, 153.5], [152.0, 153.4, 153.7]].map(|runs| {
        Measurements::Runs(Sample::new(runs.to_vec()).expect("finite runs"))
    });
    let pair = Pair::new(["a", "b"], [&measured[0], &measured[1]]).expect("a pair");
    for model in ["normal", "independent", "reference"] {
        let spec = Spec::built_in(model).expect("a model that ships");
        let posterior = Posterior::new(&spec, &pair).expect("it fits");
        c.bench_function(&format!("sampling/{model}, one core, budget 25 ms"), |b| {
            b.iter(|| one_core.install(|| Nuts.sample(black_box(&posterior), &EFFORT)));
        });
    }
}

/// A million numbers with four decimal places, one a line.
fn million(shift: f64) -> String {
    let mut rng = stream(1, 0);
    let mut text = String::new();
    for _ in 0..1_000_000 {
        let z: f64 = StandardNormal.sample(&mut rng);
        writeln!(text, "{:.4}", 100.0 + shift + 5.0 * z).expect("memory");
    }
    text
}

fn comparing(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let words = |texts: [(&str, String); 2]| {
        texts.map(|(name, text)| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("a writable file");
            Input::Word(path.to_string_lossy().into_owned())
        })
    };
    let small = words([
        ("without.txt", "152.7\n151.7\n153.5\n".into()),
        ("with.txt", "152.0\n153.4\n153.7\n".into()),
    ]);
    let large = words([("before.txt", million(0.0)), ("after.txt", million(1.0))]);
    let compare = |inputs: &[Input]| {
        let data = formats::read_dataset(inputs, &Selection::default()).expect("runs");
        analyse(&data, &Settings::default()).expect("a comparison")
    };
    c.bench_function("compare/three runs a side, budget 50 ms", |b| {
        b.iter(|| compare(black_box(&small)));
    });
    let mut slow = c.benchmark_group("compare");
    slow.sample_size(10);
    slow.bench_function("a million runs a side, budget 0.5 s", |b| {
        b.iter(|| compare(black_box(&large)));
    });
    slow.finish();
}

fn reading(c: &mut Criterion) {
    let text = million(0.0);
    let mut group = c.benchmark_group("reading");
    group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(10);
    group.bench_function("plain numbers", |b| {
        b.iter(|| {
            let bytes = text.clone().into_bytes();
            formats::read_bytes("numbers.txt", bytes, None, &Options::default())
        });
    });
    group.finish();
}

criterion_group!(benches, sampling, comparing, reading);
criterion_main!(benches);
