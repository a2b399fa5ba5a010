"""Reference values of the live monitor: its capital by SciPy's logsumexp, its bounds by SciPy's root finder, its alarms by
following the distribution of the count with NumPy, and the drift monitor's capital by its definition, value by value.

Run: /usr/bin/python3 monitoring.py   (writes monitoring.json beside itself)
"""
import json
import pathlib

import numpy as np
import scipy
from scipy.optimize import brentq
from scipy.special import logsumexp

ALARM = np.logspace(-1, 0, 5)
UPPER = -np.logspace(-1, 0.5, 7)


def log_capital(exponents, n, s, r):
    return float(logsumexp(exponents * s - n * np.log(1 + r * (np.exp(exponents) - 1))) - np.log(len(exponents)))


def lower(n, s, p, eta):
    gap = lambda rate: log_capital(ALARM, n, s, p * rate) + np.log(eta)
    if gap(0) < 0:
        return 0.0
    return 1.0 if gap(1) >= 0 else float(brentq(gap, 0, 1, xtol=1e-15, rtol=1e-14))


def upper(n, s, p, eta):
    gap = lambda rate: log_capital(UPPER, n, s, p * rate) + np.log(eta)
    return 1.0 if gap(1) < 0 else float(brentq(gap, 0, 1, xtol=1e-15, rtol=1e-14))


counts = [(1, 0), (1, 1), (20, 3), (500, 0), (500, 5), (5000, 25), (5000, 60), (20000, 101), (300000, 1500), (300000, 900)]
capitals = [
    {'questions': n, 'wrong': s, 'r': r, 'alarm': log_capital(ALARM, n, s, r), 'upper': log_capital(UPPER, n, s, r)}
    for n, s in counts
    for r in [0.0005, 0.005, 0.1, 0.5]
]
bounds = [
    {'questions': n, 'wrong': s, 'spotCheckRate': p, 'eta': eta, 'lower': lower(n, s, p, eta), 'upper': upper(n, s, p, eta)}
    for n, s in counts
    for p in [0.05, 0.3, 1.0]
    for eta in [0.05, 0.005]
]


def alarms_of(p, beta, eta, steps):
    """The smallest alarming count after each question."""
    r, found, s = p * beta, [0], 0
    for n in range(1, steps + 1):
        while log_capital(ALARM, n, s, r) < -np.log(eta):
            s += 1
        found.append(s)
    return found


def alarm_shares(alarms, chance):
    """Share of streams with an alarm by question n."""
    mass, share, shares = np.zeros(alarms[-1] + 2), 0.0, []
    mass[0] = 1
    for alarm in alarms[1:]:
        moved = mass * chance
        mass = mass - moved
        mass[1:] += moved[:-1]
        share += mass[alarm:].sum()
        mass[alarm:] = 0
        shares.append(share)
    return np.array(shares)


def power(p, beta, eta):
    steps = int(np.ceil(100 / (p * beta) - 1e-9))
    alarms = alarms_of(p, beta, eta, steps)
    medians = []
    for rate in [1.5 * beta, 2 * beta, 3 * beta]:
        shares = alarm_shares(alarms, p * rate)
        medians.append({'rate': rate, 'median': int(np.argmax(shares >= 0.5)) + 1 if shares[-1] >= 0.5 else None})
    return {
        'spotCheckRate': p, 'beta': beta, 'eta': eta, 'horizon': steps, 'delays': medians,
        'falseAlarm': float(alarm_shares(alarms, p * beta)[-1]),
    }


def drift(scores, draws, reference, bins):
    """The simple jumper over ranks among all scores before, on scores rounded down to bins."""
    place = lambda score: min(bins - 1, int(score * bins))
    seen = [place(score) for score in reference]
    jumps, bets = [1e-4, 1e-3, 1e-2, 1e-1, 1], np.array([-1, 0, 1])
    purses, path = np.full((len(jumps), 3), 1 / 3), []
    for score, draw in zip(scores, draws):
        seen.append(place(score))
        last = seen[-1]
        rank = (sum(other > last for other in seen) + draw * sum(other == last for other in seen)) / len(seen)
        for row, jump in enumerate(jumps):
            mixed = (1 - jump) * purses[row] + jump * purses[row].sum() / 3
            purses[row] = mixed * (1 + bets * (rank - 0.5))
        path.append(float(purses.sum() / len(jumps)))
    return path


random = np.random.default_rng(11)
reference = random.beta(4, 2, 60).tolist()
scores = np.concatenate([random.beta(4, 2, 60), random.beta(2, 3, 60)]).tolist() + [1.0, 0.0]
draws = random.uniform(size=len(scores)).tolist()
out = {
    'scipy': scipy.__version__,
    'exponents': {'alarm': ALARM.tolist(), 'upper': UPPER.tolist()},
    'capitals': capitals,
    'bounds': bounds,
    'power': [power(0.05, 0.1, 0.05), power(1.0, 0.1, 0.05), power(0.2, 0.2, 0.01)],
    'drift': [
        {'reference': before, 'bins': bins, 'scores': scores, 'draws': draws, 'capital': drift(scores, draws, before, bins)}
        for before, bins in [(reference, 64), ([], 7)]
    ],
}
pathlib.Path(__file__).with_suffix('.json').write_text(json.dumps(out, indent=1) + '\n')
