"""Log densities and gradients of the Stan programs, by Stan itself.

    pip install httpstan==4.13.0 && python -m httpstan &
    python stan.py PATCHODDS > stan.json

PATCHODDS is the binary, whose `--save-stan` writes each program and its data. httpstan
compiles the program; its log_prob_grad, without the Jacobian of the bounds, is asked at
twenty points. A gradient is by the parameters, not by Stan's unconstrained ones.
"""

import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import urllib.request

SERVER = "http://localhost:8080/v1/"
RUNS = {
    "baseline": [[10.13, 10.41, 9.92, 10.27], [10.75, 10.58], [9.81, 9.97, 9.64]],
    "candidate": [[10.92, 10.66], [10.31, 10.49, 10.05, 10.88], [11.21, 11.02, 10.57]],
}
MODELS = ["normal", "independent", "reference", "nested", "robust", "lognormal", "paired", "best"]


def post(path, body):
    request = urllib.request.Request(SERVER + path, json.dumps(body).encode(),
                                     {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=1800) as answer:
        return json.load(answer)


def saved(model, folder):
    files = []
    for label, invocations in RUNS.items():
        for i, runs in enumerate(invocations):
            path = folder / f"{label}{i}.txt"
            path.write_text("\n".join(map(str, runs)) + "\n")
            files.append(f"{label}={path}")
    pool = [] if model == "nested" else ["--pool-files"]
    target = folder / model
    subprocess.run([sys.argv[1], "compare", *files, "--model", model, "--lower-is-better",
                    "--save-stan", str(target), *pool],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return (target / "model.stan").read_text(), json.loads((target / "data.json").read_text())


def parameters(program):
    """Name, size, bounds as text of each declaration in the parameters block."""
    block = program.split("parameters {\n", 1)[1].split("}\n", 1)[0]
    for line in block.strip().splitlines():
        kind, name = line.strip().rstrip(";").rsplit(" ", 1)
        bounds = kind[kind.find("<") + 1:kind.find(">")] if "<" in kind else ""
        limits = dict(part.strip().split("=") for part in bounds.split(",") if part)
        yield name, 2 if kind.startswith("vector") else 1, limits


def main():
    rng = random.Random(20130101)
    models = {}
    for model in MODELS:
        with tempfile.TemporaryDirectory() as folder:
            program, data = saved(model, pathlib.Path(folder))
        name = post("models", {"program_code": program})["name"]
        points = []
        for _ in range(20):
            values, unconstrained, slopes = {}, [], []
            for parameter, size, limits in parameters(program):
                numbers = {k: v for k, v in data.items() if isinstance(v, (int, float))}
                low, high = (eval(limits[k], {}, numbers) if k in limits else None
                             for k in ("lower", "upper"))
                drawn = []
                for _ in range(size):
                    z = rng.gauss(0, 1)
                    if low is None:
                        centre = {"mean_log": 2.3, "difference": 0.3}.get(parameter, 10.4)
                        x = centre + 0.3 * z * (0.1 if parameter == "mean_log" else 1)
                        u, slope = x, 1.0
                    else:
                        size_of = {"nu": 10.0, "sd_log": 0.05}.get(parameter, 0.4)
                        x = low + size_of * math.exp(0.5 * z)
                        u, slope = math.log(x - low), x - low
                        if high is not None:
                            u = math.log((x - low) / (high - x))
                            slope = (x - low) * (high - x) / (high - low)
                    drawn.append(x)
                    unconstrained.append(u)
                    slopes.append(slope)
                values[parameter] = drawn
            asked = {"data": data, "unconstrained_parameters": unconstrained,
                     "adjust_transform": False}
            lp = post(f"{name}/log_prob", asked)["log_prob"]
            gradient = post(f"{name}/log_prob_grad", asked)["log_prob_grad"]
            gradient = [g / s for g, s in zip(gradient, slopes)]
            points.append({"values": values, "log_prob": lp, "gradient": gradient})
        models[model] = points
        print(model, file=sys.stderr)
    print(json.dumps({"about": "httpstan 4.13.0, by stan.py", "runs": RUNS, "models": models}))


main()
