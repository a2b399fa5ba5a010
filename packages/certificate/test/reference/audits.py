"""Reference values of the audits' tail probabilities, from SciPy, and of Holm's adjustment, computed by its definition.

Run: /usr/bin/python3 audits.py   (writes audits.json beside itself)
"""
import json
import pathlib

import numpy as np
import scipy
from scipy.stats import binom

tails = [
    {'right': right, 'n': n, 'line': line, 'p': float(binom.cdf(right, n, line))}
    for n, line in [(10, 0.9), (65, 0.663), (135, 0.528), (805, 0.711), (4000, 0.95)]
    for right in sorted({0, int(n * line * 0.7), int(n * line * 0.9), int(np.floor(n * line - 1))})
]
allowed = [
    {'trials': n, 'chance': f, 'count': int(binom.isf(1e-5, n, f))}
    for n in [1, 40, 245, 1000, 4156]
    for f in [0.0025, 0.0075, 0.01, 0.03]
]


def holm(p):
    p = np.asarray(p)
    order = np.argsort(p, kind='stable')
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1, np.maximum.accumulate(p[order] * (len(p) - np.arange(len(p)))))
    return adjusted.tolist()


random = np.random.default_rng(3)
families = [(random.uniform(size=size) ** 3).tolist() for size in [1, 2, 7, 40]]
out = {
    'scipy': scipy.__version__,
    'tails': tails,
    'allowed': allowed,
    'holm': [{'p': p, 'adjusted': holm(p)} for p in families],
}
pathlib.Path(__file__).with_suffix('.json').write_text(json.dumps(out, indent=1) + '\n')
