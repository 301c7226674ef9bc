"""Exact posteriors of the models `paired` and `lognormal`, by quadrature on grids.

Python 3 with NumPy and SciPy: python blocks_and_logs.py > blocks_and_logs.json
"""
import json
import platform

import numpy as np
import scipy
from scipy.optimize import brentq
from scipy.special import ndtr
from scipy.stats import lognorm, norm

OLD = [10.1, 12.3, 9.2, 11.0, 10.7]
NEW = [10.4, 12.5, 9.6, 11.2, 11.1]
SKEWED = [[1.2, 0.8, 2.9, 1.1, 0.9, 5.3], [2.1, 1.7, 6.2, 1.3, 2.5, 1.9]]
RESOLUTION = 0.1


def normal_given_variance(values, variance, expected, sd):
    """Log evidence, mean and variance of a normal mean under a normal prior."""
    n, mean = len(values), np.mean(values)
    squares = np.sum((values - mean) ** 2)
    data, prior = n / variance, 1 / sd**2
    precision = data + prior
    centre = (data * mean + prior * expected) / precision
    log = (
        -n / 2 * np.log(variance)
        - squares / (2 * variance)
        - 0.5 * np.log(precision)
        - 0.5 * (mean - expected) ** 2 * data * prior / precision
    )
    return log, centre, 1 / precision


def quantile(cdf, p, low, high):
    return brentq(lambda x: cdf(x) - p, low, high, xtol=1e-12)


def paired():
    d = np.array(NEW) - np.array(OLD)
    spread = max(np.std(d, ddof=1), RESOLUTION / np.sqrt(6))
    rms = max(np.sqrt(np.mean(d**2)), spread)
    log_sd = np.log(spread) + np.linspace(-40, 14, 40001)
    variance = np.exp(2 * log_sd) + RESOLUTION**2 / 6
    log, centre, width = normal_given_variance(d, variance, 0, 10 * rms)
    log = log + norm.logpdf(log_sd, np.log(spread), 4)
    weight = np.exp(log - log.max())
    weight /= weight.sum()
    cdf = lambda x: float(np.sum(weight * ndtr((x - centre) / np.sqrt(width))))
    mean = float(np.sum(weight * centre))
    return {
        "mean": mean,
        "sd": float(np.sqrt(np.sum(weight * (width + centre**2)) - mean**2)),
        "p_greater": 1 - cdf(0),
        "quantiles": {p: quantile(cdf, float(p), -50, 50) for p in ("0.025", "0.5", "0.975")},
    }


def lognormal():
    raw = [np.array(one) for one in SKEWED]
    logs = [np.log(one) for one in raw]
    all_logs = np.concatenate(logs)
    grand = all_logs.mean()
    resolution = RESOLUTION / np.concatenate(raw).mean()
    within = np.sqrt(
        sum(((one - one.mean()) ** 2).sum() for one in logs) / (len(all_logs) - 2)
    )
    within = max(within, resolution / np.sqrt(12))
    sd_all = max(
        [np.std(all_logs, ddof=1), resolution / np.sqrt(12)]
        + [abs(one.mean() - grand) for one in logs]
    )
    log_noise = np.log(within) + np.linspace(-6, 6, 241)
    log_sd = np.log(within) + np.linspace(-4, 4, 401)
    variance = np.exp(2 * log_sd) + resolution**2 / 12
    of = [normal_given_variance(one, variance, grand, 10 * sd_all) for one in logs]
    total = None
    for noise in log_noise:
        tied = norm.logpdf(log_sd, noise, 0.7)
        parts = [np.exp(log - log.max() + tied) for log, _, _ in of]
        joint = np.exp(norm.logpdf(noise, np.log(within), 2)) * np.outer(*parts)
        total = joint if total is None else total + joint
    total /= total.sum()
    # The logarithm of an arithmetic mean is the mean of logs and half their variance.
    apart = (of[1][1] + variance / 2)[None, :] - (of[0][1] + variance / 2)[:, None]
    medians = of[1][1][None, :] - of[0][1][:, None]
    width = np.sqrt(of[1][2][None, :] + of[0][2][:, None])
    ratio = lambda x: float(np.sum(total * ndtr((np.log(x) - apart) / width)))
    of_medians = lambda x: float(np.sum(total * ndtr((np.log(x) - medians) / width)))
    ps = ("0.025", "0.5", "0.975")
    return {
        "p_greater": 1 - ratio(1),
        "ratio": {p: quantile(ratio, float(p), 1e-4, 1e4) for p in ps},
        "ratio_of_medians": {p: quantile(of_medians, float(p), 1e-4, 1e4) for p in ps},
    }


print(
    json.dumps(
        {
            "origin": "quadrature on grids by blocks_and_logs.py; "
            f"Python {platform.python_version()}, NumPy {np.__version__}, SciPy {scipy.__version__}",
            "old": OLD,
            "new": NEW,
            "skewed": SKEWED,
            "paired": paired(),
            "lognormal": lognormal(),
        },
        indent=1,
    )
)
