//! What each kind of draws file holds, found again by the layout that its readers follow.
//!
//! The readers themselves are asked in `tests/readers/check.py`.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use ndarray::{Array2, array};
use patchodds::draws::{
    Adaptation, DataArray, DataName, Dimension, Draws, GroupName, Kind, Statistic,
    Variable,
};
use patchodds::export::{Destination, KINDS};
use serde_json::{Value, json};

/// Two chains of two draws, in several groups, with numbers that are none.
fn fit() -> Draws {
    let variant = Dimension::new("variant", ["base", "[patch]"]);
    let [base, patch] = variant.indices() else { panic!("two variants") };
    let mut draws = Draws::default();
    let third = array![[1.0 / 3.0, -0.0], [f64::NAN, f64::INFINITY]];
    let posterior = draws.group_mut(GroupName::Posterior);
    posterior.push(Variable::indexed("mean", base, array![[1.0, 2.0], [3.0, 4.0]]));
    posterior.push(Variable::indexed("mean", patch, array![[5.0, 6.0], [7.0, 8.0]]));
    posterior.push(Variable::new("ratio", third));
    let stats = draws.group_mut(GroupName::SampleStats);
    stats.push(Statistic::StepSize.variable(array![[0.5, 0.75], [0.5, 0.5]]));
    stats.push(Statistic::TreeDepth.variable(array![[1.0, 2.0], [3.0, 4.0]]));
    stats.push(Statistic::Diverging.variable(array![[0.0, 1.0], [0.0, 0.0]]));
    let prior = draws.group_mut(GroupName::Prior);
    prior.push(Variable::new("ratio", Array2::zeros((1, 3)))); // a shape of its own
    let run = Dimension::new("run", ["1", "2", "3"]);
    let runs = DataArray::new("runs", &run, vec![10.0, 20.0, 30.0]);
    draws.push_data(DataName::ObservedData, runs.of_kind(Kind::Count));
    draws.note("model", "normal");
    draws.note("seed", "7");
    draws.note("tuning_steps", "500");
    draws
}

/// Writes the fit in a new folder, which lives as long as the first of the two.
fn saved(draws: &Draws, kind: &str, name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    let argument = format!("{kind}:{}", path.display());
    let destination = Destination::parse(&argument).expect("a kind");
    destination.write(draws).expect("a place to write to");
    (folder, path)
}

fn parsed(path: impl AsRef<Path>) -> Value {
    let text = fs::read_to_string(path).expect("a readable file");
    serde_json::from_str(&text).expect("JSON")
}

fn reals(path: impl AsRef<Path>) -> Vec<f64> {
    let bytes = fs::read(path).expect("a readable file");
    let eights = bytes.chunks_exact(8);
    eights.map(|b| f64::from_le_bytes(b.try_into().expect("eight"))).collect()
}

#[test]
fn every_kind_can_be_written_twice_and_leaves_nothing_beside_it() {
    for kind in KINDS {
        let (folder, path) = saved(&fit(), kind.name, "fit");
        let again = format!("{}:{}", kind.name, path.display());
        Destination::parse(&again).unwrap().write(&fit()).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{}", kind.name);
    }
}

#[test]
fn no_kind_makes_folders_that_are_not_there() {
    for kind in KINDS {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing").join("fit");
        let argument = format!("{}:{}", kind.name, path.display());
        let error = Destination::parse(&argument).unwrap().write(&fit()).unwrap_err();
        assert!(error.what().starts_with("there is no folder"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_of_every_kind() {
    let is_folder = |name| ["zarr", "cmdstan"].contains(&name);
    let files: Vec<_> = KINDS.iter().filter(|kind| !is_folder(kind.name)).collect();
    assert!(!files.is_empty());
    for kind in files {
        let argument = format!("{}:/dev/full", kind.name);
        let error = Destination::parse(&argument).unwrap().write(&fit()).unwrap_err();
        assert_eq!(error.to_string(), "/dev/full: the disk is full", "{}", kind.name);
    }
}

// The Zarr core specification 3.0 and the convention of xarray: `dimension_names`,
// coordinates by the names of dimensions, consolidated metadata at the root.

#[test]
fn a_zarr_array_is_one_chunk_in_c_order_with_named_dimensions() {
    let (_folder, root) = saved(&fit(), "zarr", "fit.zarr");
    let mean = parsed(root.join("posterior/mean/zarr.json"));
    assert_eq!(mean["shape"], json!([2, 2, 2]));
    assert_eq!(mean["dimension_names"], json!(["chain", "draw", "variant"]));
    assert_eq!(mean["data_type"], "float64");
    let values = reals(root.join("posterior/mean/c/0/0/0"));
    assert_eq!(values, [1.0, 5.0, 2.0, 6.0, 3.0, 7.0, 4.0, 8.0]);
    let ratio = reals(root.join("posterior/ratio/c/0/0"));
    assert_eq!(ratio[0].to_bits(), (1.0_f64 / 3.0).to_bits());
    assert_eq!(ratio[1].to_bits(), (-0.0_f64).to_bits());
    assert!(ratio[2].is_nan() && ratio[3] == f64::INFINITY);
}

#[test]
fn a_zarr_store_keeps_types_labels_and_shapes_of_each_group() {
    let (_folder, root) = saved(&fit(), "zarr", "fit.zarr");
    let flags = root.join("sample_stats/diverging");
    assert_eq!(parsed(flags.join("zarr.json"))["data_type"], "bool");
    assert_eq!(fs::read(flags.join("c/0/0")).unwrap(), [0, 1, 0, 0]);
    let labels = fs::read(root.join("posterior/variant/c/0")).unwrap();
    assert_eq!(labels, b"\x02\0\0\0\x04\0\0\0base\x07\0\0\0[patch]"); // as typed
    assert_eq!(parsed(root.join("prior/draw/zarr.json"))["shape"], json!([3]));
    let observed = parsed(root.join("observed_data/runs/zarr.json"));
    assert_eq!(observed["dimension_names"], json!(["run"]));
    assert_eq!(observed["data_type"], "int64");
}

#[test]
fn the_root_of_a_zarr_store_repeats_the_metadata_of_all_below() {
    let (_folder, root) = saved(&fit(), "zarr", "fit.zarr");
    let whole = parsed(root.join("zarr.json"));
    assert_eq!(whole["attributes"]["seed"], "7");
    let below = whole["consolidated_metadata"]["metadata"].as_object().unwrap();
    assert!(below.contains_key("observed_data/runs"));
    for (key, metadata) in below {
        assert_eq!(*metadata, parsed(root.join(key).join("zarr.json")), "{key}");
    }
    let posterior = &below["posterior"]["attributes"];
    assert_eq!(posterior["sample_dims"], json!(["chain", "draw"]));
}

#[test]
fn a_zarr_zip_holds_the_files_of_the_folder() {
    let mut draws = fit();
    draws.note("created_at", "now"); // else the two may differ by a second
    let (_folder, root) = saved(&draws, "zarr", "fit.zarr");
    let (_other, file) = saved(&draws, "zarr", "fit.zip");
    let mut zip = zip::ZipArchive::new(fs::File::open(file).unwrap()).unwrap();
    assert!(zip.len() > 20);
    for i in 0..zip.len() {
        let mut entry = zip.by_index(i).unwrap();
        let name = entry.name().unwrap().into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, fs::read(root.join(&name)).unwrap(), "{name}");
    }
}

#[test]
fn the_json_has_the_parameters_of_from_dict_and_null_for_what_is_no_number() {
    let (_folder, path) = saved(&fit(), "json", "fit.json");
    let fit = parsed(path);
    let data = &fit["data"];
    let mean = json!([[[1.0, 5.0], [2.0, 6.0]], [[3.0, 7.0], [4.0, 8.0]]]);
    assert_eq!(data["posterior"]["mean"], mean);
    assert_eq!(data["posterior"]["ratio"], json!([[1.0 / 3.0, -0.0], [null, null]]));
    assert_eq!(
        data["sample_stats"]["diverging"],
        json!([[false, true], [false, false]])
    );
    assert_eq!(data["observed_data"]["runs"], json!([10, 20, 30]));
    let coords = json!({ "variant": ["base", "[patch]"], "run": ["1", "2", "3"] });
    assert_eq!(fit["coords"], coords);
    assert_eq!(fit["dims"], json!({ "mean": ["variant"], "runs": ["run"] }));
    assert_eq!(fit["attrs"]["posterior"]["model"], "normal");
}

#[cfg(feature = "netcdf")]
#[test]
fn a_netcdf_file_is_hdf5() {
    let (_folder, path) = saved(&fit(), "netcdf", "fit.nc");
    // Section II.A of the HDF5 file format.
    assert!(fs::read(path).unwrap().starts_with(b"\x89HDF\r\n\x1a\n"));
}

#[cfg(feature = "parquet")]
#[test]
fn the_parquet_table_has_the_columns_of_the_csv_and_the_facts() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    let (_folder, path) = saved(&fit(), "parquet", "fit.parquet");
    let reader = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap().map(Result::unwrap);
    let rows: Vec<Vec<(String, Field)>> =
        rows.map(parquet::record::Row::into_columns).collect();
    let names: Vec<&str> = rows[0].iter().map(|(name, _)| name.as_str()).collect();
    let mean = ["mean[base]", "mean[_patch_]"];
    let place = [".chain", ".iteration", ".draw"];
    assert_eq!(names, [&place[..], &mean, &["ratio"]].concat());
    let second: Vec<Field> = rows[1].iter().map(|(_, field)| field.clone()).collect();
    let counts = [1, 2, 2].map(Field::Int).into_iter();
    let numbers = [2.0, 6.0, -0.0].map(Field::Double);
    assert_eq!(second, counts.chain(numbers).collect::<Vec<_>>());
    assert!(matches!(rows[2][5].1, Field::Double(value) if value.is_nan()));
    let facts = reader.metadata().file_metadata().key_value_metadata().unwrap();
    let fact = |key: &str| facts.iter().find(|fact| fact.key == key)?.value.as_deref();
    assert_eq!(fact("seed"), Some("7"));
    let labels: Value = serde_json::from_str(fact("labels").unwrap()).unwrap();
    assert_eq!(labels["mean[_patch_]"], "[patch]");
}

// CmdStan's User's Guide, "Stan CSV file format".

#[test]
fn the_csv_of_stan_numbers_what_labels_index() {
    let (_folder, folder) = saved(&fit(), "cmdstan", "fit");
    let text = fs::read_to_string(folder.join("chain-2.csv")).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(
        lines,
        [
            "lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__,\
             mean.1,mean.2,ratio",
            "0,0,0.5,3,0,0,0,3,7,nan",
            "0,0,0.5,4,0,0,0,4,8,inf",
        ]
    );
    let names = parsed(folder.join("variables.json"));
    let patch = json!({ "variable": "mean[_patch_]", "label": "[patch]" });
    assert_eq!(names["mean.2"], patch);
}

#[test]
fn the_csv_of_stan_tells_the_settings_before_the_header_and_the_tuning_behind_it() {
    let mut draws = fit();
    let adaptation = |step_size| Adaptation {
        step_size,
        inverse_mass: vec![1.0, 0.25],
        seconds: [0.25, 0.5],
    };
    draws.set_adaptation(vec![adaptation(0.5), adaptation(0.625)]);
    let (_folder, folder) = saved(&draws, "cmdstan", "fit");
    let text = fs::read_to_string(folder.join("chain-2.csv")).unwrap();
    let (settings, rest) = text.split_once("lp__").unwrap();
    for line in [
        "# model = patchodds_normal",
        "# method = sample (Default)",
        "#     num_samples = 2",
        "#     num_warmup = 500",
        "#         metric = diag_e",
        "# id = 2",
        "#   seed = 7",
    ] {
        assert!(settings.lines().any(|known| known == line), "no `{line}`");
    }
    assert!(rest.contains(
        "\n# Adaptation terminated\n# Step size = 0.625\n\
         # Diagonal elements of inverse mass matrix:\n# 1, 0.25\n0,"
    ));
    assert!(rest.ends_with(
        "#  Elapsed Time: 0.250 seconds (Warm-up)\n\
         #                0.500 seconds (Sampling)\n\
         #                0.750 seconds (Total)\n# \n"
    ));
}

#[test]
fn without_a_mass_matrix_the_metric_is_that_of_the_unit() {
    let (_folder, folder) = saved(&fit(), "cmdstan", "fit");
    let text = fs::read_to_string(folder.join("chain-1.csv")).unwrap();
    assert!(text.contains("metric = unit_e"));
    assert!(text.contains("# Step size = 0.625\n")); // the mean of 0.5 and 0.75
}

#[test]
fn groups_of_other_shape_and_data_are_left_out_of_the_csv_of_stan() {
    let mut draws = fit();
    let pointwise = draws.group_mut(GroupName::LogLikelihood);
    let run = Dimension::new("run", ["1", "2"]);
    for index in run.indices() {
        pointwise.push(Variable::indexed("runs", index, Array2::zeros((2, 2))));
    }
    draws
        .group_mut(GroupName::LogPrior)
        .push(Variable::new("sd", Array2::ones((1, 9))));
    let (_folder, folder) = saved(&draws, "cmdstan", "fit");
    let text = fs::read_to_string(folder.join("chain-1.csv")).unwrap();
    assert!(text.contains("ratio,log_lik.1,log_lik.2\n"));
    assert!(!text.contains("lprior"));
}
