"""Reference values of the baseline policies, from SciPy and scikit-learn.

Run: /usr/bin/python3 policies.py   (writes policies.json beside itself)
"""
import json
import math
import pathlib

import numpy as np
import scipy
import sklearn
from scipy.stats import binom
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.preprocessing import StandardScaler

here = pathlib.Path(__file__).parent
random = np.random.default_rng(20260301)


def exact_tail(wrong, count, beta):
    """p-value of "the risk is at least beta" after `wrong` losses of 1 among `count`."""
    return {'wrong': wrong, 'count': count, 'beta': beta, 'value': float(binom.cdf(wrong, count, beta))}


def fixed_sequence(wrong, count, beta, delta):
    """Index into `wrong` (from the loosest threshold to the strictest) of the last rejected; None when none is."""
    last = None
    for at in range(len(wrong) - 1, -1, -1):
        if not exact_tail(wrong[at], count, beta)['value'] <= delta:
            break
        last = at
    return {'wrong': wrong, 'count': count, 'beta': beta, 'delta': delta, 'last': last}


def sequences():
    cases = []
    for count, beta, delta in [(400, 0.1, 0.05), (2000, 0.15, 0.03), (60, 0.05, 0.03), (4784, 0.2, 0.03)]:
        risks = np.linspace(2 * beta, 0, 200) + random.normal(0, beta / 20, 200)
        wrong = np.clip(np.round(risks * count), 0, count).astype(int).tolist()
        cases.append(fixed_sequence(wrong, count, beta, delta))
    return cases


def trees():
    """Lumpy features, five folds: out-of-fold probabilities, isotonic map, model refitted on all rows."""
    rows = 400
    features = np.c_[np.round(random.uniform(0.3, 1, rows), 2), random.integers(0, 4, rows) / 3]
    labels = (random.uniform(size=rows) < 0.2 + 0.6 * features[:, 0] * (1 - 0.5 * features[:, 1])).astype(int)
    folds = random.permutation(np.arange(rows) % 5)
    model = HistGradientBoostingClassifier(early_stopping=False)
    unseen = cross_val_predict(model, features, labels, cv=PredefinedSplit(folds), method='predict_proba')[:, 1]
    isotonic = IsotonicRegression(out_of_bounds='clip').fit(unseen, labels)
    whole = model.fit(features, labels)
    queries = np.c_[random.uniform(0.2, 1.05, 50), random.uniform(0, 1, 50)]
    return {'columns': 2, 'features': features.ravel().tolist(), 'labels': labels.tolist(), 'folds': folds.tolist(),
            'outOfFold': isotonic.predict(unseen).tolist(), 'queries': queries.ravel().tolist(),
            'predicted': isotonic.predict(whole.predict_proba(queries)[:, 1]).tolist()}


def stopper():
    """Logistic regression on standardised (p1, margin) with C = 1."""
    rows = 60
    p1 = np.round(random.uniform(0.5, 1, rows), 2)
    right = (random.uniform(size=rows) < p1 ** 2).astype(int)
    states = np.c_[p1, np.round(2 * p1 - 1, 2)]
    scaler = StandardScaler().fit(states)
    model = LogisticRegression(C=1.0, solver='newton-cg', tol=1e-9, max_iter=10000)
    model.fit(scaler.transform(states), right)
    asked = np.round(np.linspace(0.5, 1, 26), 2)
    probabilities = model.predict_proba(scaler.transform(np.c_[asked, 2 * asked - 1]))[:, 1]
    return {'p1': p1.tolist(), 'right': right.tolist(), 'asked': asked.tolist(),
            'probabilities': probabilities.tolist()}


def decimals(rows):
    """Three decimals each, and a sum of 1."""
    first = np.floor(rows[:, :-1] * 1000) / 1000
    return np.c_[first, np.round(1 - first.sum(axis=1), 3)]


def social_choice():
    """Conformal Social Choice: split conformal prediction on pooled probabilities, nonconformity 1 - p(right option)."""
    cases = []
    for count, options, alpha in [(9, 3, 0.1), (8, 3, 0.1), (200, 4, 0.05), (500, 10, 0.2), (37, 2, 0.3)]:
        pooled = decimals(random.dirichlet(np.full(options, 0.4), count))
        gold = [int(random.choice(options, p=row / row.sum())) for row in pooled]
        asked = decimals(random.dirichlet(np.full(options, 0.4), 60))
        scores = np.sort([1 - row[right] for row, right in zip(pooled, gold)])
        place = math.ceil(round((count + 1) * (1 - alpha), 9))
        qhat = None if place > count else float(scores[place - 1])
        acts = [qhat is not None and int(np.sum(row >= 1 - qhat - 1e-12)) == 1 for row in asked]
        cases.append({'alpha': alpha, 'pooled': pooled.tolist(), 'gold': gold, 'asked': asked.tolist(),
                      'qhat': qhat, 'acts': [bool(act) for act in acts]})
    return cases


def risk_control():
    """Conformal risk control over 401 thresholds: losses of one round, largest loss over stricter thresholds."""
    cases = []
    grid = np.round(np.arange(401) / 400, 12)
    for count, beta in [(100, 0.1), (400, 0.05), (15, 0.05), (300, 0.5)]:
        scores = np.round(random.beta(4, 1.5, count), 4)
        right = random.uniform(size=count) < scores
        losses = [int(np.sum((scores >= cut) & ~right)) for cut in grid]
        kept = [at for at in range(401) if (losses[at] + 1) / (count + 1) <= beta]
        cases.append({'beta': beta, 'scores': scores.tolist(), 'right': right.astype(int).tolist(),
                      'threshold': float(grid[kept[0]]) if kept else None})
    return cases


values = [exact_tail(wrong, count, beta)
          for count, beta in [(1, 0.5), (20, 0.1), (100, 0.05), (400, 0.1), (4784, 0.15)]
          for wrong in sorted({0, 1, int(count * beta / 2), int(count * beta), min(count, int(2 * count * beta)), count})]

(here / 'policies.json').write_text(json.dumps({
    'script': 'policies.py', 'scipy': scipy.__version__, 'scikit-learn': sklearn.__version__,
    'exactTail': values, 'fixedSequence': sequences(), 'trees': trees(), 'stopper': stopper(),
    'socialChoice': social_choice(), 'riskControl': risk_control(),
}) + '\n')
