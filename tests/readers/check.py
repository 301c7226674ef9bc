"""Asks the real readers whether they find in each kind of draws file what was reported.

    pip install -r tests/readers/requirements.txt
    python tests/readers/check.py target/debug/patchodds

Every kind is written from one run of patchodds and opened by its own reader; the mean,
SD, R-hat, ESS and MCSE that ArviZ computes from it must be those of the JSON output. On
the kinds that hold all groups ArviZ also predicts left-out runs, weighs the prior and
draws its plots.
"""

import json
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import arviz_base as az
import arviz_plots
import arviz_stats
import cmdstanpy
import matplotlib.pyplot
import numpy as np
import pandas as pd
import pyarrow.parquet
import xarray as xr
import zarr

RUNS = Path(__file__).parents[2] / "examples" / "netbsd" / "rfc2544.csv"

# Relative: all of these are sums of some thousand numbers in another order.
TOLERANCE = 1e-6

# Twelve runs a side, so that no run weighs too much for PSIS-LOO.
TWELVE = {
    "before": "10.11 10.32 10.24 10.05 10.19 10.41 10.28 10.13 10.22 10.37 10.16 10.30",
    "after": "10.42 10.61 10.50 10.38 10.29 10.71 10.55 10.47 10.33 10.66 10.52 10.44",
}

# Absolute, of what goes through smoothed weights: how the two estimate the relative
# efficiency of the draws differs.
SMOOTHED = 1e-3

# Every plot that is of one fit, with what it has to be told.
FEW = {"var_names": ["mean", "difference"]}
PLOTS = {
    "plot_autocorr": FEW,
    "plot_dist": FEW,
    "plot_energy": {},
    "plot_ess": FEW,
    "plot_ess_evolution": FEW,
    "plot_forest": FEW,
    "plot_loo_pit": {},
    "plot_mcse": FEW,
    # Of what has one number a draw: ArviZ 0.8 stumbles over a variable with labels here.
    "plot_pair": {"var_names": ["difference", "noise"]},
    "plot_parallel": FEW,
    "plot_ppc_dist": {},
    "plot_ppc_pit": {},
    "plot_prior_posterior": FEW,
    "plot_psense_dist": FEW,
    "plot_rank": FEW,
    "plot_trace": FEW,
    "plot_trace_dist": FEW,
}

# The names of the JSON output, and where the draws of each are.
QUANTITIES = {
    "baseline_mean": ("mean", "without"),
    "candidate_mean": ("mean", "with"),
    "baseline_sd": ("sd", "without"),
    "candidate_sd": ("sd", "with"),
    "difference": ("difference", None),
    "relative_change": ("relative_change", None),
    "ratio": ("ratio", None),
    "effect_size": ("effect_size", None),
    "sd_ratio": ("sd_ratio", None),
}


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        reported = run(program, folder)
        # A store without consolidated metadata, or one that is misread, warns.
        warnings.simplefilter("error", RuntimeWarning)
        trees = {
            "zarr": xr.open_datatree(folder / "fit.zarr", engine="zarr"),
            "zarr.zip": from_zip(folder / "fit.zarr.zip"),
            "nc": xr.open_datatree(folder / "fit.nc", engine="netcdf4"),
            "json": from_json(folder / "fit.json"),
        }
        for kind, tree in trees.items():
            check_schema(kind, tree)
            check(kind, reported, lambda name, label: from_tree(tree, name, label))
            done(kind)
        for kind, table in tables(folder).items():
            check(kind, reported, lambda name, label: from_table(table, name, label))
            done(kind)
        check_parquet_facts(folder / "fit.parquet")
        check_cmdstan(folder / "fit", reported)
        done("cmdstan")
        check_index(folder / "all")
        done("index.json")
        check_all_groups(program, folder)


def run(program, folder):
    targets = [folder / f"fit.{s}" for s in ("csv", "parquet", "zarr", "zarr.zip")]
    targets += [folder / f"fit.{s}" for s in ("nc", "json")]
    targets += [f"cmdstan:{folder}/fit", f"zarr:{folder}/all/"]
    options = [word for target in targets for word in ("--save-draws", str(target))]
    command = [program, "compare", str(RUNS), "--format", "json", *options]
    said = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(said.stdout)["comparisons"][0]["posterior"]


def from_zip(path):
    store = zarr.storage.ZipStore(path, read_only=True)
    return xr.open_datatree(store, engine="zarr")


def from_json(path):
    """The lines of docs/draws.md."""
    fit = json.loads(path.read_text())
    for arrays in fit["data"].values():
        for name, lists in arrays.items():
            array = np.asarray(lists)
            arrays[name] = array.astype(float) if array.dtype == object else array
    return az.from_dict(**fit)


def from_tree(tree, name, label):
    values = tree["posterior"][name]
    return (values if label is None else values.sel(variant=label)).values


def tables(folder):
    return {
        "csv": pd.read_csv(folder / "fit.csv"),
        "parquet": pd.read_parquet(folder / "fit.parquet"),
    }


def from_table(table, name, label):
    column = name if label is None else f"{name}[{label}]"
    return table.pivot(index=".chain", columns=".iteration", values=column).values


def check(kind, reported, draws_of):
    compared = 0
    for quantity, (name, label) in QUANTITIES.items():
        draws = draws_of(name, label)
        found = {
            "mean": draws.mean(),
            "sd": draws.std(ddof=1),
            "median": np.median(draws),
            "rhat": arviz_stats.rhat(draws),
            "ess_bulk": arviz_stats.ess(draws, method="bulk"),
            # The quantiles of Vehtari et al. (2021); ArviZ takes others unless told.
            "ess_tail": arviz_stats.ess(draws, method="tail", prob=(0.05, 0.95)),
            "mcse_mean": arviz_stats.mcse(draws, method="mean"),
        }
        for statistic, value in found.items():
            expected = reported[quantity][statistic]
            if expected is None:
                continue  # a moment that does not exist
            compared += 1
            equal = np.isclose(value, expected, rtol=TOLERANCE, atol=0)
            assert equal, f"{kind}: {statistic} of {quantity}: {value}, not {expected}"
    assert compared > 40, f"{kind}: only {compared} numbers were reported"


def check_schema(kind, tree):
    stats = tree["sample_stats"]
    assert stats["diverging"].dtype == bool, kind
    assert stats["tree_depth"].dtype.kind == "i", kind
    for group in ("posterior", "sample_stats"):
        assert tree[group]["difference" if group == "posterior" else "lp"].dims == (
            "chain",
            "draw",
        ), kind
        assert list(tree[group].attrs["sample_dims"]) == ["chain", "draw"], kind
        assert tree[group].attrs["inference_library"] == "patchodds", kind
        assert "created_at" in tree[group].attrs, kind
    summary = arviz_stats.summary(tree, var_names=["mean"], round_to="none")
    assert list(summary.index) == ["mean[without]", "mean[with]"], kind
    assert all(arviz_stats.bfmi(tree)["energy"].values > 0.3), kind


def check_parquet_facts(path):
    facts = pyarrow.parquet.read_schema(path).metadata
    assert facts[b"model"] == b"normal"
    assert json.loads(facts[b"labels"])["mean[with]"] == "with"


def check_cmdstan(folder, reported):
    fit = cmdstanpy.from_csv(str(folder))
    assert fit.chains == 4 and fit.num_draws_sampling == 1000
    # Two means, two SDs and the noise, each chain with its own adaptation.
    assert (fit.step_size > 0).all() and fit.inv_metric.shape == (4, 5)
    names = json.loads((folder / "variables.json").read_text())
    columns = {entry["variable"]: column for column, entry in names.items()}
    draws = fit.draws()  # draw × chain × column
    places = {name: i for i, name in enumerate(fit.column_names)}

    def draws_of(name, label):
        column = columns[name if label is None else f"{name}[{label}]"]
        head, *index = column.split(".")
        return draws[:, :, places[f"{head}[{index[0]}]" if index else head]].T

    check("cmdstan", reported, draws_of)
    tree = az.from_cmdstanpy(fit)
    assert tree["posterior"]["mean"].shape == (4, 1000, 2)
    assert tree["sample_stats"]["diverging"].dtype == bool


def check_index(folder):
    index = json.loads((folder / "index.json").read_text())
    [fit] = index["fits"]
    assert (fit["baseline"], fit["candidate"]) == ("without", "with")
    assert "posterior" in xr.open_datatree(folder / fit["file"], engine="zarr")


def check_all_groups(program, folder):
    """Leave-one-out, the sensitivity to the prior, and the plots, of twelve runs a side."""
    table = folder / "twelve.csv"
    columns = [runs.split() for runs in TWELVE.values()]
    lines = [",".join(row) for row in [TWELVE.keys(), *zip(*columns)]]
    table.write_text("\n".join(lines) + "\n")
    command = [program, "compare", str(table), "--unit", "ms", "--format", "json"]
    # Compared with a second model, the first is reported with its elpd.
    command += ["--model", "normal", "--model", "robust"]
    command += [f"--save-draws={folder}/twelve.zarr", f"--save-draws={folder}/twelve.nc"]
    said = subprocess.run(command, check=True, capture_output=True, text=True)
    report = json.loads(said.stdout)["comparisons"][0]
    trees = {
        "zarr": xr.open_datatree(folder / "twelve.zarr", engine="zarr"),
        "nc": xr.open_datatree(folder / "twelve.nc", engine="netcdf4"),
    }
    for kind, tree in trees.items():
        check_loo(kind, report, tree)
        check_sensitivity(kind, report, tree)
        check_plots(kind, tree)
        print(f"{kind}: ArviZ leaves out, weighs the prior, and draws {len(PLOTS)} plots")


def check_loo(kind, report, tree):
    ours = report["models"]["compared"][0]
    assert ours["model"] == "normal" and ours["refits"] == 0
    theirs = arviz_stats.loo(tree)
    for name, found, expected in (
        ("elpd", theirs.elpd, ours["elpd"]["value"]),
        ("p_loo", theirs.p, ours["p_loo"]),
    ):
        equal = abs(found - expected) < SMOOTHED
        assert equal, f"{kind}: {name}: {found}, not {expected}"


def check_sensitivity(kind, report, tree):
    theirs = arviz_stats.psense_summary(tree, var_names=["difference", "sd"], round_to=9)
    rows = {
        "difference": "difference",
        "baseline_sd": "sd[before]",
        "candidate_sd": "sd[after]",
    }
    for quantity, row in rows.items():
        for part, expected in report["prior_sensitivity"][quantity].items():
            found = theirs.loc[row, part]
            equal = abs(found - expected) < SMOOTHED
            assert equal, f"{kind}: {part} of {quantity}: {found}, not {expected}"


def check_plots(kind, tree):
    matplotlib.use("Agg")
    for name, told in PLOTS.items():
        try:
            getattr(arviz_plots, name)(tree, **told)
        except Exception as error:
            raise AssertionError(f"{kind}: {name} draws nothing") from error
        matplotlib.pyplot.close("all")


def done(kind):
    print(f"{kind}: read, and equal to {TOLERANCE:g}")


if __name__ == "__main__":
    main(*sys.argv[1:])
