"""Reference values of the special functions: SciPy, each value confirmed by mpmath with 40 digits.

Run: /usr/bin/python3 special.py   (writes special.json beside itself)
"""
import json
import pathlib
import random

import mpmath as mp
import scipy
from scipy import special, stats

mp.mp.dps = 40
SMALL = mp.mpf(10) ** -28
random.seed(20260101)


def log_kernel(x, a, b):
    a, b = mp.mpf(a), mp.mpf(b)
    return a * mp.log(x) + b * mp.log1p(-x) - (mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b))


def tail(x, a, b):
    """I_x(a, b) by a series with positive terms only: a binomial tail for integers, else DLMF 8.17.8."""
    whole = isinstance(a, int) and isinstance(b, int)
    a, b = (a, b) if whole else (mp.mpf(a), mp.mpf(b))
    odds = x / (1 - x)
    term = total = mp.mpf(1)
    j = 0
    while term > total * SMALL:
        term *= (b - 1 - j) * odds / (a + 1 + j) if whole else (a + b + j) * x / (a + 1 + j)
        total += term
        j += 1
    return mp.exp(log_kernel(x, a, b)) * total / (a * (1 - x) if whole else a)


def quantile(level, a, b, start):
    """Newton on log I from SciPy's value, to 20 digits and more."""
    x, level = mp.mpf(start), mp.mpf(level)
    for _ in range(8):
        value = tail(x, a, b)
        step = mp.log(value / level) * value * x * (1 - x) / mp.exp(log_kernel(x, a, b))
        x -= step
        if abs(step) < x * mp.mpf(10) ** -20:
            return x
    raise ArithmeticError((level, a, b))


worst = {}


def confirmed(name, scipy_value, truth):
    """The 40-digit value; SciPy's distance from it is recorded."""
    gap = float(abs((mp.mpf(scipy_value) - truth) / truth)) if truth != 0 else abs(float(scipy_value))
    worst[name] = max(worst.get(name, 0.0), gap)
    return float(truth)


log_gamma = []
for x in [1e-300, 1e-10, 0.1, 0.49, 0.5, 0.9, 0.999999, 1.0, 1.000001, 1.3, 1.49, 1.5, 1.999999, 2.0, 2.000001, 2.49,
          2.5, 2.51, 3.0, 7.7, 9.99, 10.0, 10.01, 100.5, 1e4, 1e6, 1e10, 1e300] + [random.uniform(0, 12) for _ in range(60)]:
    log_gamma.append([x, confirmed('logGamma', special.gammaln(x), mp.loggamma(mp.mpf(x)))])

normal_cdf, normal_quantile = [], []
for z in [-37.5, -30.0, -20.0, -12.0, -5.7, -5.6, -3.0, -1.0, -0.67, -0.66, -0.1, -1e-9, 0.0, 1e-9, 0.5, 0.67, 1.0, 4.0,
          5.6, 5.7, 8.0] + [random.uniform(-9, 9) for _ in range(40)]:
    normal_cdf.append([z, confirmed('normalCdf', stats.norm.cdf(z), mp.ncdf(mp.mpf(z)))])
for p in [1e-300, 1e-100, 1e-16, 1e-12, 1.4e-11, 1e-6, 0.01, 0.074, 0.076, 0.3, 0.49999, 0.5, 0.50001, 0.7, 0.924, 0.926,
          0.99, 0.999999, 1 - 1e-12] + [random.random() for _ in range(40)]:
    z = mp.findroot(lambda z: mp.log(mp.ncdf(z) / mp.mpf(p)), mp.mpf(float(stats.norm.ppf(p)))) if p != 0.5 else mp.mpf(0)
    normal_quantile.append([p, confirmed('normalQuantile', stats.norm.ppf(p), z)])

LEVELS = [1e-12, 1e-9, 1e-6, 1e-4, 0.003, 0.01, 0.05, 0.1, 0.25, 0.5]
beta_quantile, incomplete_beta = [], []
shapes = [(1, 1), (1, 10 ** 6), (10 ** 6, 1), (2, 10 ** 6 - 1), (10 ** 6 - 1, 2), (2, 2), (5, 4), (31, 2), (507, 6), (512, 1)]
for exponent in range(1, 25):
    k = int(10 ** (exponent / 4))
    for share in [0.01, 0.1, 0.5, 0.8, 0.95, 0.99, 0.999]:
        s = min(max(round(share * k), 1), k)
        shapes.append((s, k - s + 1))
for index, (a, b) in enumerate(sorted(set(shapes))):
    # Half of the levels at each shape: small levels and large ones alternate from shape to shape.
    for level in LEVELS[index % 2::2]:
        by_scipy = stats.beta.ppf(level, a, b)
        x = confirmed('betaQuantile', by_scipy, quantile(level, a, b, by_scipy))
        beta_quantile.append([level, a, b, x])
        # Beside the quantile, on both sides of the mean.
        at = min(x * 1.02, 0.5 + x / 2)
        value = tail(mp.mpf(at), a, b)
        incomplete_beta.append([at, a, b, confirmed('incompleteBeta', special.betainc(a, b, at), value),
                                float(tail(1 - mp.mpf(at), b, a))])
for a, b, x in [(0.5, 0.5, 0.25), (0.3, 7.0, 0.9), (2.5, 0.1, 0.6), (1.5, 40.25, 0.001), (1e-3, 2e-3, 0.4)]:
    value = tail(mp.mpf(x), a, b)
    incomplete_beta.append([x, a, b, confirmed('incompleteBeta', special.betainc(a, b, x), value), float(1 - value)])

pathlib.Path(__file__).with_suffix('.json').write_text(json.dumps({
    'script': 'special.py', 'scipy': scipy.__version__, 'mpmath': mp.__version__,
    'worstRelativeGapOfScipy': worst,
    'logGamma': log_gamma, 'normalCdf': normal_cdf, 'normalQuantile': normal_quantile,
    'betaQuantile': beta_quantile, 'incompleteBeta': incomplete_beta,
}, indent=0).replace('[\n', '[').replace(',\n', ', ').replace('\n]', ']') + '\n')
print(worst, len(beta_quantile), len(incomplete_beta))
