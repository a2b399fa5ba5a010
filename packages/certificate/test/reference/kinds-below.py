"""Whether a kind of debates lies below a floor: the 99 % upper Clopper-Pearson limit for the mean counts of a test half.

Run: /usr/bin/python3 kinds-below.py   (writes kinds-below.json beside itself)
"""
import json
import pathlib

import numpy as np
import scipy
from scipy.stats import beta

here = pathlib.Path(__file__).parent
random = np.random.default_rng(20261116)


def judged(splits, acted, right, floor):
    half, rate = acted / splits, right / acted
    upper = 1.0 if right == acted else float(beta.ppf(0.99, rate * half + 1, half - rate * half))
    assert abs(upper - floor) > 1e-9
    return {'splits': splits, 'acted': acted, 'right': right, 'floor': floor, 'isBelow': bool(upper < floor)}


cases = [judged(10, 500, 500, 0.99), judged(1, 1, 0, 0.7), judged(10, 7, 0, 0.7)]
for _ in range(40):
    splits = int(random.integers(1, 11))
    acted = int(random.integers(1, 3000))
    floor = float(random.choice([0.7, 0.8, 0.9]))
    right = int(np.clip(round(acted * (floor + random.normal(-0.06, 0.04))), 0, acted))
    cases.append(judged(splits, acted, right, floor))

(here / 'kinds-below.json').write_text(json.dumps({
    'script': 'kinds-below.py', 'scipy': scipy.__version__, 'kinds': cases,
}) + '\n')
