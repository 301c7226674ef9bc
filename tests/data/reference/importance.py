"""Pareto-smoothed weights and power-scaling sensitivities by arviz-stats.

    pip install arviz-stats==0.8.0 && python importance.py > importance.json

The draws are closed forms of the golden-ratio sequence, so that a test can make them
again: u(i) = frac(i * 0.6180339887498949), i = 1 .. n.
"""

import json
from importlib.metadata import version

import numpy as np
from arviz_stats.base import array_stats as stats


def uniform(n):
    return np.mod(np.arange(1, n + 1) * 0.6180339887498949, 1.0)


def smoothed(shape, n, r_eff):
    # Ratios with a Pareto tail of this shape.
    log_ratios = -shape * np.log1p(-uniform(n))
    log_weights, k = stats._psislw(-log_ratios, r_eff)
    largest = np.sort(log_weights)[::-1][:8]
    return {
        "shape": shape, "n": n, "r_eff": r_eff, "k": float(k),
        "largest_log_weights": largest.tolist(), "log_weight_of_first": float(log_weights[0]),
    }


def sensitivity(prior_mean, prior_sd, n):
    # Draws of a logistic distribution, and a normal log density of them.
    u = uniform(n)
    x = np.log(u) - np.log1p(-u)
    log_component = -0.5 * ((x - prior_mean) / prior_sd) ** 2
    weights = []
    for power in (0.99, 1.01):
        log_weights, _ = stats._psislw(-(power - 1.0) * log_component, 1.0)
        weights.append(np.exp(log_weights))
    value = stats._power_scale_sense(x, weights[0], weights[1], 0.99, 1.01)
    return {"mean": prior_mean, "sd": prior_sd, "n": n, "sensitivity": float(value)}


print(json.dumps({
    "about": "arviz-stats " + version("arviz-stats") + ", NumPy " + np.__version__
             + ", by importance.py",
    "smoothed": [smoothed(0.3, 1000, 1.0), smoothed(0.65, 1000, 0.8),
                 smoothed(1.1, 4000, 1.0), smoothed(0.5, 60, 1.0)],
    "sensitivity": [sensitivity(0.0, 10.0, 4000), sensitivity(1.0, 2.0, 4000),
                    sensitivity(-3.0, 1.0, 4000), sensitivity(0.0, 1.5, 500)],
}, indent=1))
