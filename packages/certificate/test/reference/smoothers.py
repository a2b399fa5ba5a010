"""Reference values of the smoothers from scikit-learn, solved until the gradient is rounding noise.

Run: /usr/bin/python3 smoothers.py   (reads ../golden, writes smoothers.json beside itself)

The golden files' `pilotAtMod` and `pilotAtQueries` come from the solver `lbfgs`, which stopped early (relative fall of
the loss below 2.2e-9) with gradients up to 1e-3. Here the same models are solved to the end; `goldenGap` is the
largest difference.
"""
import json
import pathlib

import numpy as np
import scipy
import sklearn
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import SplineTransformer, StandardScaler

here = pathlib.Path(__file__).parent
random = np.random.default_rng(20260101)


def newton(rows, labels, weights=None, penalty=1.0):
    """scikit-learn's solution, polished by plain Newton steps: its own solvers stop at gradients of 1e-6 or so."""
    weights = np.ones(len(rows)) if weights is None else weights
    model = LogisticRegression(C=penalty, solver='newton-cg', tol=1e-10, max_iter=10000)
    model.fit(rows[weights > 0], labels[weights > 0], sample_weight=weights[weights > 0])
    design = np.c_[rows, np.ones(len(rows))]
    ridge = np.r_[np.ones(rows.shape[1]), 0.0]
    point = np.r_[model.coef_[0], model.intercept_[0]]
    for _ in range(5):
        rate = 1 / (1 + np.exp(-design @ point))
        slope = ridge * point + penalty * design.T @ (weights * (rate - labels))
        bend = np.diag(ridge) + penalty * (design.T * (weights * rate * (1 - rate))) @ design
        point = point - np.linalg.solve(bend, slope)
    model.coef_, model.intercept_ = point[None, :-1], point[-1:]
    return model


def spline():
    return SplineTransformer(n_knots=8, degree=3, extrapolation='constant')


def gradient(model, rows, successes, counts, penalty):
    rate = 1 / (1 + np.exp(-(rows @ model.coef_[0] + model.intercept_[0])))
    residual = penalty * (counts * rate - successes)
    return float(max(np.abs(model.coef_[0] + rows.T @ residual).max(), abs(residual.sum())))


def expand(rows, successes, counts):
    """One row per class with its weight: what scikit-learn needs for successes out of counts."""
    return np.r_[rows, rows], np.r_[np.ones(len(rows)), np.zeros(len(rows))], np.r_[successes, counts - successes]


def logistic_case(name, rows, successes, counts, penalty=1.0):
    model = newton(*expand(rows, successes, counts), penalty)
    return {'name': name, 'columns': rows.shape[1], 'rows': rows.ravel().tolist(), 'successes': successes.tolist(),
            'counts': counts.tolist(), 'penalty': penalty, 'intercept': float(model.intercept_[0]),
            'weights': model.coef_[0].tolist(), 'gradient': gradient(model, rows, successes, counts, penalty)}


def logistic():
    rows = random.normal(size=(80, 6)).round(3)
    rate = 1 / (1 + np.exp(-(rows[:, 0] - rows[:, 1] + 1)))
    labels = (random.random(80) < rate).astype(float)
    ones = np.ones(80)
    counts = random.integers(0, 9, 80).astype(float)
    flat = np.c_[rows[:, :2], np.full(80, 3.0), rows[:, 0]]
    line = np.linspace(-1, 1, 20).round(3)[:, None]
    separated = (line[:, 0] > 0).astype(float)
    yield logistic_case('plain labels', rows, labels, ones)
    yield logistic_case('successes out of counts, some zero', rows, random.binomial(counts.astype(int), rate) * 1.0, counts)
    yield logistic_case('a constant and a repeated column', flat, labels, ones)
    yield logistic_case('perfect separation', line, separated, np.ones(20))
    yield logistic_case('perfect separation, weak penalty', line, separated, np.ones(20), 1e4)
    yield logistic_case('strong penalty', rows, labels, ones, 1e-3)


def isotonic_case(x, successes, counts):
    model = IsotonicRegression(out_of_bounds='clip').fit(x, successes / counts, sample_weight=counts)
    queries = np.r_[x, np.linspace(x.min() - 0.5, x.max() + 0.5, 41)]
    return {'x': x.tolist(), 'successes': successes.tolist(), 'counts': counts.tolist(), 'queries': queries.tolist(),
            'predicted': model.predict(queries).tolist()}


def isotonic():
    for size, grid in [(1, 5), (12, 4), (60, 15), (60, 1000)]:
        x = random.integers(0, grid, size) / grid
        counts = random.integers(1, 9, size).astype(float)
        yield isotonic_case(x, random.binomial(counts.astype(int), 0.2 + 0.6 * x) * 1.0, counts)


def golden(size):
    data = json.loads((here / f'../golden/certificate-{size}.json').read_text())
    correct, mod = np.array(data['calibration']['correct']), np.array(data['mod'])
    for t, expected in enumerate(data['rounds']):
        at_mod, at_queries = [], []
        for name in ['p1', 'margin']:
            column = np.array(data['calibration'][name])[:, t]
            ordered = np.sort(column)
            cdf = lambda values: np.searchsorted(ordered, values, side='right') / len(ordered)
            at_mod.append(cdf(column[mod]))
            at_queries.append(cdf(np.array(data['queries'][name])[:, t]))
        basis = spline().fit(np.array(at_mod).T)
        rows = basis.transform(np.array(at_mod).T)
        model = newton(rows, correct[mod, t])
        pilot = model.predict_proba(rows)[:, 1]
        queries = model.predict_proba(basis.transform(np.array(at_queries).T))[:, 1]
        yield {'pilotAtMod': pilot.tolist(), 'pilotAtQueries': queries.tolist(),
               'gradient': gradient(model, rows, correct[mod, t], np.ones(len(mod)), 1.0),
               'goldenGap': float(max(np.abs(pilot - expected['pilotAtMod']).max(),
                                      np.abs(queries - expected['pilotAtQueries']).max()))}


knots = np.array([[0.2], [1.7]])
places = np.r_[np.linspace(-0.3, 2.2, 51), 0.2, 1.7]
scaled = np.c_[random.normal(5, 3, 30), np.full(30, 0.1), random.integers(0, 2, 30), np.full(30, 1e6)]
weights = random.integers(0, 5, 30).astype(float)
scaler = StandardScaler().fit(scaled, sample_weight=weights)

result = {
    'script': 'smoothers.py', 'scipy': scipy.__version__, 'scikit-learn': sklearn.__version__, 'numpy': np.__version__,
    'spline': {'min': 0.2, 'max': 1.7, 'x': places.tolist(),
               'values': spline().fit(knots).transform(places[:, None]).tolist()},
    'standardise': {'columns': 4, 'rows': scaled.ravel().tolist(), 'counts': weights.tolist(),
                    'means': scaler.mean_.tolist(), 'scales': scaler.scale_.tolist(),
                    'standardised': scaler.transform(scaled).ravel().tolist()},
    'logistic': list(logistic()), 'isotonic': list(isotonic()),
    'golden': {size: list(golden(size)) for size in ['small', 'medium']},
}
(here / 'smoothers.json').write_text(json.dumps(result) + '\n')
for case in result['logistic']:
    print(case['name'], 'gradient', case['gradient'])
for size, rounds in result['golden'].items():
    print(size, [(r['gradient'], r['goldenGap']) for r in rounds])
