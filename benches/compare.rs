//! Where the time of a comparison goes, against its budgets.
//!
//! Budgets: one sampling 25 ms on one core; the whole comparison of three runs a side
//! 50 ms; a million runs a side, read and compared, 0.5 s on two cores. On two cores one
//! sampling of `nested` with ten invocations a side 50 ms, of `robust` with 1,000 runs a
//! side 300 ms, with a million runs a side of which many are equal 3 s. Reading: 100 MB/s
//! of CSV and plain numbers, 50 MB/s of JSON.

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

fn noise(rng: &mut impl rand::Rng) -> f64 {
    StandardNormal.sample(rng)
}

/// `runs` runs in each of `invocations`, rounded to `step`.
fn measured(seed: u64, invocations: usize, runs: usize, step: f64) -> Measurements {
    let mut rng = stream(seed, 0);
    let invocation = |_| {
        let centre = 100.0 + 2.0 * noise(&mut rng);
        let run = |_| ((centre + noise(&mut rng)) / step).round() * step;
        (0..runs).map(run).collect()
    };
    let runs = (0..invocations).map(invocation).collect();
    Measurements::Runs(Sample::from_invocations(runs).expect("finite runs"))
}

fn larger_models(c: &mut Criterion) {
    let mut group = c.benchmark_group("sampling");
    group.sample_size(10);
    for (name, model, [invocations, runs], step) in [
        ("nested, 10 invocations a side, budget 50 ms", "nested", [10, 30], 1e-6),
        ("robust, 1,000 runs a side, budget 300 ms", "robust", [1, 1000], 1e-6),
        ("robust, 1,000,000 runs a side, budget 3 s", "robust", [1, 1_000_000], 0.01),
    ] {
        let variants = [1, 2].map(|seed| measured(seed, invocations, runs, step));
        let pair = Pair::new(["a", "b"], variants.each_ref()).expect("a pair");
        let spec = Spec::built_in(model).expect("a model that ships");
        let posterior = Posterior::new(&spec, &pair).expect("it fits");
        group.bench_function(name, |b| {
            b.iter(|| Nuts.sample(black_box(&posterior), &EFFORT));
        });
    }
    group.finish();
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

/// What hyperfine writes of so many runs.
fn hyperfine(runs: &[String]) -> String {
    let codes = vec!["0"; runs.len()].join(",");
    let times = runs.join(",");
    format!(
        "{{\"results\": [{{\"command\": \"sort\", \"mean\": 0.1, \"times\": [{times}], \
         \"exit_codes\": [{codes}]}}]}}"
    )
}

/// What Google Benchmark writes of so many repetitions.
fn google_benchmark(runs: &[String]) -> String {
    let row = |run: &String| {
        format!(
            "{{\"name\": \"BM_Sort/1024\", \"run_name\": \"BM_Sort/1024\", \
             \"run_type\": \"iteration\", \"repetitions\": {}, \"iterations\": 1000, \
             \"real_time\": {run}, \"cpu_time\": {run}, \"time_unit\": \"ns\"}}",
            runs.len()
        )
    };
    let rows: Vec<String> = runs.iter().map(row).collect();
    format!("{{\"context\": {{}}, \"benchmarks\": [{}]}}", rows.join(",\n"))
}

/// What k6 writes of so many requests.
fn k6(runs: &[String]) -> String {
    let mut text = String::from(
        "{\"type\":\"Metric\",\"metric\":\"http_req_duration\",\"data\":{\"name\":\
         \"http_req_duration\",\"type\":\"trend\",\"contains\":\"time\"}}\n",
    );
    for run in runs {
        writeln!(
            text,
            "{{\"metric\":\"http_req_duration\",\"type\":\"Point\",\"data\":{{\"time\":\
             \"2026-01-01T00:00:00Z\",\"value\":{run},\"tags\":{{\"method\":\"GET\",\
             \"name\":\"http://localhost/\",\"status\":\"200\",\"scenario\":\"default\",\
             \"group\":\"\"}}}}}}"
        )
        .expect("memory");
    }
    text
}

/// A table with a row for each run.
fn table(runs: &[String]) -> String {
    let mut text = String::from("variant,benchmark,metric,value,unit\n");
    for (i, run) in runs.iter().enumerate() {
        let variant = ["old", "new"][i % 2];
        writeln!(text, "{variant},sort/1024,time,{run},ms").expect("memory");
    }
    text
}

fn reading(c: &mut Criterion) {
    let numbers = million(0.0);
    let runs: Vec<String> = numbers.lines().take(200_000).map(str::to_owned).collect();
    let mut group = c.benchmark_group("reading");
    for (name, text) in [
        ("plain numbers, budget 100 MB/s", numbers),
        ("CSV, budget 100 MB/s", table(&runs)),
        ("hyperfine, budget 50 MB/s", hyperfine(&runs)),
        ("Google Benchmark, budget 50 MB/s", google_benchmark(&runs)),
        ("k6, budget 50 MB/s", k6(&runs)),
    ] {
        group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(10);
        let read =
            |bytes| formats::read_bytes("file", bytes, None, &Options::default());
        read(text.clone().into_bytes()).expect("a file that is read");
        group.bench_function(name, |b| {
            b.iter(|| read(text.clone().into_bytes()));
        });
    }
    group.finish();
}

criterion_group!(benches, sampling, larger_models, comparing, reading);
criterion_main!(benches);
