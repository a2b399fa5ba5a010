"""Reference values of the profile `total` from its prototype, on made-up rows.

Run: OMP_NUM_THREADS=1 /usr/bin/python3 total.py PROTOTYPE   (writes total.json beside itself)

PROTOTYPE is the path of total_prototype.py, an implementation of its own on numpy, scipy and scikit-learn. Random orders are
replaced by the order given, since generators differ: questions are bet on as they are numbered, and fold f of five is the
f-th fifth of the rows. Logistic regressions are solved to the end, so that they can be compared.
"""
import importlib.util
import json
import pathlib
import sys

import numpy as np
from sklearn.linear_model import LogisticRegression

random = np.random.default_rng(20261116)
spec = importlib.util.spec_from_file_location('prototype', sys.argv[1])
proto = importlib.util.module_from_spec(spec)
spec.loader.exec_module(proto)


class InOrder:
    def permutation(self, values):
        return np.arange(values) if np.isscalar(values) else np.asarray(values)


class Numpy:
    """numpy with random orders replaced by the order given."""
    random = type('random', (), {'default_rng': staticmethod(lambda seed: InOrder())})

    def __getattr__(self, name):
        return getattr(np, name)


proto.np = Numpy()
proto.LogisticRegression = lambda C, max_iter: LogisticRegression(C=C, max_iter=1000, tol=1e-10, solver='newton-cholesky')
here = pathlib.Path(__file__).parent
ROUNDS = 3


def digits(values): return ''.join(str(int(v)) for v in np.asarray(values).ravel())


def draw(n, step, weak, runs, change=.2):
    """Debates with scores on a grid of `step`; kinds in `weak` are right much less often than their score says."""
    luck = random.random(n)
    scores = np.empty((n, ROUNDS)); agr = np.empty((n, ROUNDS), int); chg = np.zeros((n, ROUNDS), int)
    base = random.beta(4, 1.6, n)
    cluster = np.arange(n) if runs is None else np.repeat(np.arange(n), random.integers(1, runs + 1, n))[:n]
    if runs is not None: base, luck = base[cluster], .6 * luck[cluster] + .4 * random.random(n)
    for t in range(ROUNDS):
        s = np.clip(base + .1 * random.standard_normal(n) + .03 * t, .02, .99)
        scores[:, t] = np.round(np.round(s / step) * step, 6)
        agr[:, t] = np.where(random.random(n) < .07, 1, np.where(s > .85, 0, np.where(s > .7, 2, 3)))
        chg[:, t] = (random.random(n) < change * t).astype(int)
    kinds = (np.arange(ROUNDS)[None, :] * 4 + agr) * 2 + chg
    right = (luck[:, None] < scores - np.isin(kinds, weak) * .3).astype(int)
    barred = random.random((n, ROUNDS)) < .08
    data = proto.Debates(n=n, T=ROUNDS, Z=right.astype(float), barred=barred, agr=agr, chg=chg, p1=scores, path=scores,
                         X=[scores] * ROUNDS, cols=[''], group=np.zeros(n, int), cluster=cluster, clustered=runs is not None)
    file = {'rounds': ROUNDS, 'scores': scores.ravel().tolist(), 'kinds': kinds.ravel().tolist(), 'excluded': digits(barred),
            'right': digits(right), 'questions': cluster.tolist() if runs is not None else None}
    return data, scores, file


def certified(cert):
    if cert is None: return None
    return {'policy': cert['policy'], 'acted': cert['useful'], 'level': cert['level'],
            'classes': [{**c, 'kinds': sorted(c['kinds'])} for _, c in sorted(cert['classes'].items())]}


def total_case(name, step, beta, floor, weak, runs=None, pilot=160, neighbours=420, change=.2):
    P, GP, pilot_file = draw(pilot, step, weak, runs, change)
    N, GN, neighbour_file = draw(neighbours, step, weak, runs, .2 if change == .2 else .5)
    des = proto.design(P, N.n, beta, floor, proto.DEFAULTS, (GP, None, 'given'))
    tests = []
    for j, cuts in enumerate(des['path']):
        s = proto.stop(GN, proto.allow(des, N, GN), cuts); i = np.arange(N.n)
        wrong = ((s >= 0) & (N.Z[i, np.maximum(s, 0)] == 0)).astype(float)
        tests.append({'stopped': int((s >= 0).sum()), 'wrong': int(wrong.sum()), 'p': proto.p_total(wrong, N, beta)})
    selective = None
    if floor == 0 and runs is None:
        best = proto.certify_selective(des, N, GN, beta, .05)
        selective = {'found': None if best is None else {'policy': best['policy'], 'acted': best['acted'], 'wrong': best['wrong']}}
    return {'name': name, 'beta': beta, 'floor': floor, 'pilot': pilot_file, 'neighbours': neighbour_file,
            'least': des['least'], 'blocked': sorted(des['blocked']),
            'policies': [[None if np.isinf(c) else float(c) for c in cuts] for cuts in des['path']],
            'classes': [{'kinds': sorted(ks), 'vetoable': sorted(des['vetoable'][c])} for c, ks in sorted(des['members'].items())],
            'tests': int(des['tests']), 'policyTests': tests, 'pac': certified(proto.certify(des, N, GN, 'pac')),
            'average': certified(proto.certify(des, N, GN, 'avg')), 'selective': selective}


def bets():
    found = []
    for n, mean, rate in [(1, .1, 0), (5, .2, .1), (60, .1, .02), (200, .1, .05), (200, .3, .35), (400, .2, .1)]:
        x = np.round(np.minimum(1, (random.random(n) < rate) * random.integers(1, 5, n) / 4), 6)
        found.append({'values': x.tolist(), 'mean': mean, 'p': proto.p_bet(x, mean)})
    return found


def floors():
    """Floor tests of questions with several runs, and limits of independent rows."""
    found = []
    for n, rate, floor in [(30, .05, .8), (150, .08, .8), (150, .3, .8), (300, .1, .85)]:
        cluster = np.sort(random.integers(0, max(2, n // 2), n)); cluster = np.unique(cluster, return_inverse=True)[1]
        acts = random.random(n) < .7; wrong = acts & (random.random(n) < rate); rows = np.flatnonzero(acts)
        right = 1. - wrong[rows]
        several = proto.Debates(cluster=cluster, clustered=True); one = proto.Debates(cluster=np.arange(n), clustered=False)
        found.append({'questions': cluster.tolist(), 'acts': digits(acts), 'wrong': digits(wrong), 'floor': floor,
                      'p': proto.p_floor(right, rows, several, floor), 'alone': proto.p_floor(right, rows, one, floor),
                      'limit': proto.lower_limit(right, rows, one, .003)})
    return found


def chances():
    grid = [(n, acc, floor, level) for n in (.4, 3, 25, 140.5, 900) for acc in (.6, .82, .97) for floor in (.7, .85) for level in (.001, .0002)]
    return [{'rows': n, 'rate': a, 'floor': f, 'level': l, 'chance': proto.pass_chance(n, a, f, l)} for n, a, f, l in grid]


def scores():
    """Every candidate on made-up features of two rounds: eleven of the panel and three of the agents."""
    n, new, columns, rounds = 170, 25, 14, 2
    X = [np.round(random.random((n + new, columns)), 4) for _ in range(rounds)]
    for x in X: x[:, 7] = x[:, 7] > .5; x[:, 10] = .25
    group = random.integers(0, 3, n + new)
    logit = 3 * (X[0][:, 0] - .3) + 2 * (X[1][:, 1] - .5) + .5 * (group == 1)
    Z = np.stack([random.random(n + new) < 1 / (1 + np.exp(-logit)), random.random(n + new) < 1 / (1 + np.exp(-1.5 * logit))], 1).astype(float)

    def rows(pick): return proto.Debates(n=len(pick), T=rounds, Z=Z[pick], X=[x[pick] for x in X], group=group[pick], cluster=np.arange(len(pick)), cols=['a', 'b', 'c'])
    pilot, fresh = rows(np.arange(n)), rows(np.arange(n, n + new)); found = {}
    for name, kind in {'two-features': 'path', 'all-features': 'full', 'with-groups': 'group', 'ridge': 'ridge', 'boosted': 'boost'}.items():
        oof, score = proto.fit_chain(pilot, kind)
        found[name] = {'outOfFold': oof.ravel().tolist(), 'fresh': score(fresh).ravel().tolist(), 'loss': proto.log_loss(pilot.Z, oof)}
    return {'columns': columns, 'pilot': n, 'fresh': new, 'features': [x.ravel().tolist() for x in X], 'groups': group.tolist(), 'right': digits(Z[:n]), 'candidates': found}


cases = [
    total_case('tied scores', .05, .15, .8, [1, 12]),
    total_case('distinct scores', 1e-6, .2, .7, [4, 20]),
    total_case('a high floor', .02, .25, .9, [8, 16, 2], neighbours=700),
    total_case('a kind that is dropped', .01, .3, .75, [4, 12], pilot=60, neighbours=700),
    total_case('without a floor', .02, .15, 0., [4]),
    total_case('a kind that is common among neighbours alone', .01, .3, .75, [9, 17], pilot=300, neighbours=800, change=.015),
    total_case('few rows', .05, .3, .7, [], pilot=8, neighbours=40),
    total_case('nothing passes', .05, .03, .9, [0, 8, 16], neighbours=60),
    total_case('several runs', .02, .2, .75, [4], runs=4, neighbours=500),
    total_case('several runs without a floor', .05, .2, 0., [], runs=3),
]
# A weak kind that its pilot does not block: found among several draws.
cases += [total_case(f'drawn {at}', .01, .3, .72, [4], pilot=40, neighbours=600) for at in range(4)]
reference = {'bets': bets(), 'floors': floors(), 'chances': chances(), 'scores': scores(), 'cases': cases}
(here / 'total.json').write_text(json.dumps(reference) + '\n')
for c in cases: print(c['name'], len(c['policies']), c['classes'], c['tests'], c['blocked'], c['pac'] and (c['pac']['policy'], c['pac']['acted'], len(c['pac']['classes'])), c['average'] and c['average']['policy'])
