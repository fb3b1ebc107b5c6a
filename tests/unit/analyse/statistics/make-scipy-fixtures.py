"""Reference values of tests and distributions from SciPy, as test fixtures.

    python3 -m venv /tmp/reference && /tmp/reference/bin/pip install scipy==1.17.1 numpy
    /tmp/reference/bin/python tests/unit/analyse/statistics/make-scipy-fixtures.py > tests/unit/analyse/statistics/scipy-fixtures.json
"""

import json

import numpy as np
import scipy
from scipy import optimize, stats

rng = np.random.default_rng(20)


def wilcoxon(sample, shift=0.0):
    """Exact for ties too: every pattern of signs of the midranks."""
    x = np.asarray(sample, dtype=float) - shift
    x = x[x != 0]
    ranks = stats.rankdata(np.abs(x))
    n = len(x)
    signs = ((np.arange(2**n)[:, None] >> np.arange(n)) & 1).astype(float)
    sums = signs @ ranks
    w = ranks[x > 0].sum()
    greater, less = (sums >= w - 1e-9).mean(), (sums <= w + 1e-9).mean()
    return {"greater": greater, "less": less, "two": min(1.0, 2 * min(greater, less))}


def sequential_levels(interims, alpha):
    """Linear spending: level of each look so that the crossing probability by look k is alpha * t_k."""
    times = np.array(interims) / interims[-1]
    bounds = []
    for k, time in enumerate(times):
        corr = np.sqrt(np.minimum.outer(times[: k + 1], times[: k + 1]) / np.maximum.outer(times[: k + 1], times[: k + 1]))

        def crossed(z):
            upper = np.array(bounds + [z])
            inside = stats.multivariate_normal.cdf(upper, np.zeros(k + 1), corr, lower_limit=-upper, abseps=1e-10, releps=1e-10, maxpts=2_000_000)
            return (1 - inside) - alpha * time

        bounds.append(optimize.brentq(crossed, 0.5, 6, xtol=1e-9))
    return [2 * stats.norm.sf(z) for z in bounds]


def poisson_rates():
    """Garwood's interval through the chi-squared distribution, and the conditional test of two equal rates."""
    cases = []
    for baseline, candidate in [((0, 0.2), (0, 0.2)), ((3, 1.5), (0, 1.5)), ((11, 800), (21, 3011)), ((2, 24), (40, 30))]:
        (before, first), (after, second) = baseline, candidate
        cases.append({
            "baseline": {"events": before, "exposure": first},
            "candidate": {"events": after, "exposure": second},
            "interval95": [stats.chi2.ppf(0.025, 2 * before) / 2 / first if before else 0, stats.chi2.ppf(0.975, 2 * before + 2) / 2 / first],
            "equal": stats.binomtest(after, before + after, second / (first + second)).pvalue if before + after else 1,
        })
    return cases


def two_way():
    """Additive two-way table with lost cells, by least squares on dummies; F test of the sites by comparing two fits."""
    sites, blocks = 5, 7
    truth = np.array([0.0, 0.02, -0.03, 0.1, 0.05])[:, None] + rng.normal(0, 0.03, blocks)[None, :]
    values = truth + rng.normal(0, 0.02, (sites, blocks))
    cells = [(s, b) for s in range(sites) for b in range(blocks) if (s, b) not in {(0, 1), (2, 2), (3, 5), (4, 5)}]
    y = np.array([values[c] for c in cells])
    blocks_only = np.array([[float(b == other) for other in range(blocks)] for _, b in cells])
    both = np.hstack([np.array([[float(s == other) for other in range(sites)] for s, _ in cells]), blocks_only[:, 1:]])
    fit = np.linalg.lstsq(both, y, rcond=None)[0]
    rss_full = ((y - both @ fit) ** 2).sum()
    rss_blocks = ((y - blocks_only @ np.linalg.lstsq(blocks_only, y, rcond=None)[0]) ** 2).sum()
    df = len(y) - (sites + blocks - 1)
    block_effects = np.concatenate([[0.0], fit[sites:]])
    site_effects = fit[:sites] + block_effects.mean()
    return {
        "cells": [{"site": s, "block": b, "value": values[s, b]} for s, b in cells],
        "siteEffects": site_effects.tolist(),
        "blockValues": (fit[:sites].mean() + block_effects).tolist(),
        "residualSumOfSquares": rss_full,
        "residualDegreesOfFreedom": df,
        "adjustedF": ((rss_blocks - rss_full) / (sites - 1)) / (rss_full / df),
    }


def balanced_two_way():
    """Without lost cells the F test of the sites is the textbook one."""
    sites, blocks = 4, 6
    values = rng.normal(0, 0.03, (sites, 1)) + rng.normal(0, 0.05, (1, blocks)) + rng.normal(0, 0.02, (sites, blocks))
    means = values.mean(axis=1)
    residuals = values - means[:, None] - values.mean(axis=0)[None, :] + values.mean()
    between = blocks * ((means - values.mean()) ** 2).sum() / (sites - 1)
    within = (residuals**2).sum() / ((sites - 1) * (blocks - 1))
    return {
        "values": values.tolist(),
        "pValue": stats.f.sf(between / within, sites - 1, (sites - 1) * (blocks - 1)),
        "siteSd": float(np.sqrt(max(0.0, (between - within) / blocks))),
    }


def quantile_intervals():
    """Order-statistic intervals of quantiles, and null where a sample is too small for one."""
    draws = np.random.default_rng(64)
    cases = []
    for n in (6, 12, 13, 40, 71, 72, 100):
        sample = np.round(draws.lognormal(6, 0.4, n), 3)
        for quantile in (0.05, 0.25, 0.5, 0.75, 0.95):
            low, high = stats.quantile_test(sample, p=quantile).confidence_interval(0.95)
            both = np.isfinite(low) and np.isfinite(high)
            cases.append({"sample": sample.tolist(), "quantile": quantile, "interval95": [low, high] if both else None})
    return cases


def paired_spreads():
    """Sandvik & Olsson (1982): the signed-rank test of the deviations from each side's median, over all patterns of signs."""
    draws = np.random.default_rng(65)
    cases = []
    for n, times in ((6, 3.0), (8, 1.0), (11, 2.0), (14, 0.5)):
        block = draws.normal(0, 1, n)
        baseline = np.round(block + draws.normal(0, 1, n), 4)
        candidate = np.round(block + times * draws.normal(0, 1, n), 4)
        before, after = (np.abs(side - np.median(side)) for side in (baseline, candidate))
        cases.append({
            "baseline": baseline.tolist(),
            "candidate": candidate.tolist(),
            "ratio": after.sum() / before.sum(),
            "two": wilcoxon(np.round(after - before, 10))["two"],
        })
    return cases


tied = [[1, 1, 2, -2, 3, 3, 0, 4], [5, 5, 5, -1, -1, 2, 2, 2, 2], [-1, -1, 1, 1, 1, 1, 1, 1, 0, 0]]
shifted = [np.round(rng.normal(0.05, 0.04, n), 4).tolist() for n in (6, 8, 12, 14)]
t_samples = [np.round(rng.normal(0.03, 0.05, n), 5).tolist() for n in (4, 6, 12, 20)]
counts_a = [42, 43, 42, 42, 43, 43, 42, 43, 42, 43]
counts_b = [43, 42, 42, 43, 42, 43, 43, 42, 43, 43]
# On paper ln(43/42) and ln(42/43) tie; whole numbers of ticks stand for them.
ticks = [{42: 0, 43: 1}[b] - {42: 0, 43: 1}[a] for a, b in zip(counts_a, counts_b)]

print(
    json.dumps(
        {
            "madeWith": f"scipy {scipy.__version__}, numpy {np.__version__}",
            "tiedSignedRank": [{"sample": sample, **wilcoxon(sample)} for sample in tied],
            "shiftedSignedRank": [
                {"sample": sample, "shift": 0.0295588, **wilcoxon(sample, 0.0295588)} for sample in shifted
            ],
            "oneSampleT": [
                {
                    "sample": sample,
                    "shift": 0.0295588,
                    "greater": stats.ttest_1samp(sample, 0.0295588, alternative="greater").pvalue,
                    "less": stats.ttest_1samp(sample, 0.0295588, alternative="less").pvalue,
                    "interval95": list(stats.ttest_1samp(sample, 0).confidence_interval(0.95)),
                }
                for sample in t_samples
            ],
            "countRatios": {"baseline": counts_a, "candidate": counts_b, **wilcoxon(ticks)},
            "linearInterimLevels": sequential_levels([12, 16, 20], 0.05),
            "twoWay": two_way(),
            "balancedTwoWay": balanced_two_way(),
            "clopperPearson": [
                {
                    "events": events,
                    "trials": trials,
                    "low": 0.0 if events == 0 else stats.beta.ppf(0.025, events, trials - events + 1),
                    "high": stats.beta.ppf(0.975, events + 1, trials - events),
                }
                for events, trials in ((0, 20), (3, 50), (49, 50))
            ],
            "poissonRates": poisson_rates(),
            "quantileIntervals": quantile_intervals(),
            "pairedSpreads": paired_spreads(),
        },
        indent=1,
    )
)
